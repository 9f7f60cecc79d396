// Chromium without a window, through chromedriver.
import { spawn } from "node:child_process";

/** A browser that is started with arguments. `call(method, path, body)`: a call of its session; `ask(expression)`: its value in
 *  the page, awaited; `devtools(command, parameters)`. */
export async function browser(...args) {
  const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((found) => driver.stdout.on("data", (text) => {
    const [, number] = String(text).match(/on port (\d+)\./) ?? [];
    if (number) found(number);
  }));
  const send = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = await answer.json();
    if (value?.error) throw new Error(value.message);
    return value;
  };
  const { sessionId } = await send("POST", "", { capabilities: { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args: ["--headless=new", "--no-sandbox", ...args] } } } });
  const call = (method, path, body) => send(method, `/${sessionId}${path}`, body);
  return {
    call,
    devtools: (cmd, params) => call("POST", "/goog/cdp/execute", { cmd, params }),
    ask: (script) => call("POST", "/execute/sync", { script: `return ${script}`, args: [] }),
    quit: async () => {
      await call("DELETE", "");
      driver.kill();
    },
  };
}
