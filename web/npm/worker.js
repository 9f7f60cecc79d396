// The worker of a browser: it reads pictures and answers calls, apart from the page, so that the page never blocks.
import { fetched, taken } from "./bitmaps.js";
import { work } from "./work.js";

const answer = work(fetched(new URL("./tilelens.wasm", import.meta.url)), taken, (message) => postMessage(message));
onmessage = ({ data }) => answer(data);
