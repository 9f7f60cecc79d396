#!/usr/bin/env bash
# PyPI obsws-python 1.8.0, a client of OBS's websocket (protocol 5): a request that takes longer than the client waits.
#
# Expected: each answer carries the `requestId` of its request, so the client that gave up on one (OBSSDKTimeoutError) ignores its
#   late answer and returns to the next request its own.
# Actual: the next message is taken for the answer, whatever it answers. After one timeout every request gets the answer of the
#   one before: `get_scene_item_id` returns a GetStatsDataclass, and a refusal is raised by the request after the refused one.
# Effect here: our check with OBS (tests/soak/obs.sh) uses this client, in version 1.7.0, with a timeout of 30 seconds. Scripts
#   beside the overlay that catch a timeout and go on read wrong numbers and switch wrong items; they have to connect anew.
#
# The server here is a stand-in of a few lines that answers in order, the first request late.
# Exits non-zero once the client goes by `requestId`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    obsws-python==1.8.0 websocket-client==1.9.0 websockets==15.0.1
"$folder/venv/bin/python" - <<'PYTHON'
import asyncio, json, logging, sys, threading, time
import websockets
import obsws_python

logging.disable(logging.CRITICAL)
ANSWERS = {"GetVersion": {"obsVersion": "30.0.0"}, "GetStats": {"cpuUsage": 1.5}, "GetSceneItemId": {"sceneItemId": 7},
           "GetCurrentProgramScene": {"currentProgramSceneName": "table"}}
LATE = 1.0


async def serve(socket):
    await socket.send(json.dumps({"op": 0, "d": {"obsWebSocketVersion": "5.5.0", "rpcVersion": 1}}))
    async for message in socket:
        message = json.loads(message)
        if message["op"] == 1:
            await socket.send(json.dumps({"op": 2, "d": {"negotiatedRpcVersion": 1}}))
        elif message["op"] == 6:
            asked = message["d"]
            if asked["requestType"] == "GetStats":
                await asyncio.sleep(LATE)
            status = {"result": True, "code": 100}
            if asked["requestType"] == "CreateScene":
                status = {"result": False, "code": 601, "comment": "it exists already"}
            await socket.send(json.dumps({"op": 7, "d": {
                "requestType": asked["requestType"], "requestId": asked["requestId"], "requestStatus": status,
                "responseData": ANSWERS.get(asked["requestType"], {})}}))


async def listen(ports):
    async with websockets.serve(serve, "127.0.0.1", 0) as server:
        ports.append(server.sockets[0].getsockname()[1])
        await asyncio.Future()

ports = []
threading.Thread(target=lambda: asyncio.run(listen(ports)), daemon=True).start()
while not ports:
    time.sleep(0.05)

client = obsws_python.ReqClient(host="127.0.0.1", port=ports[0], timeout=LATE / 2)
try:
    client.get_stats()
    sys.exit("no timeout")
except obsws_python.error.OBSSDKTimeoutError:
    print("obsws-python: get_stats timed out")
time.sleep(LATE)
item = client.get_scene_item_id("table", "overlay")
print(f"get_scene_item_id returns {item} with {item.attrs()}")
try:
    client.create_scene("table")
    refused = None
except obsws_python.error.OBSSDKRequestError as error:
    refused = str(error)
print("create_scene, which the server refuses, raises", refused)
try:
    scene = client.get_current_program_scene()
    raised = None
except obsws_python.error.OBSSDKRequestError as error:
    raised = str(error)
print("get_current_program_scene, which it allows, raises", raised)
sys.exit(0 if item.attrs() == ["cpu_usage"] and refused is None and raised and "exists" in raised else 1)
PYTHON
