// The worker of Node: it reads pictures and answers calls, so that the program that asks goes on meanwhile.
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { take, work } from "./work.js";

const made = async (imports) => (await WebAssembly.instantiate(await readFile(new URL("./tilelens.wasm", import.meta.url)), imports)).instance;
parentPort.on("message", work(made, take, (message) => parentPort.postMessage(message)));
