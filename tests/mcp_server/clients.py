"""A person with a client of MCP: clients.py (mcp|fastmcp) ERA URL TOKEN, or with a command for URL and TOKEN.

ERA is legacy or a version of the protocol. Prints what came of each step, one line each.
"""

import asyncio
import os
import sys

from fastmcp import Client as FastClient
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.types import ElicitResult

PROGRAM = "s3.create_bucket(Bucket='attic')\nreturn 'made'"
LOOK = "return [bucket['Name'] for bucket in s3.list_buckets()['Buckets']]"
answers: list[str] = []


async def of_mcp(context, params) -> ElicitResult:
    print("asked:", params.message.splitlines()[0])
    action = answers.pop(0)
    return ElicitResult(action=action, content={} if action == "accept" else None)


async def of_fastmcp(message, response_type, params, context):
    print("asked:", message.splitlines()[0])
    from fastmcp.client.elicitation import ElicitResult as FastResult

    action = answers.pop(0)
    return FastResult(action=action, content={} if action == "accept" else None)


def client(library: str, era: str, place: list[str]):
    is_url = place[0].startswith("http")
    if library == "fastmcp":
        if is_url:
            transport = StreamableHttpTransport(place[0], headers={"Authorization": f"Bearer {place[1]}"})
        else:
            transport = StdioTransport(place[0], place[1:], env=dict(os.environ), keep_alive=False)
        return FastClient(transport, elicitation_handler=of_fastmcp, mode=era)
    if is_url:
        http = create_mcp_http_client(headers={"Authorization": f"Bearer {place[1]}"})
        return Client(streamable_http_client(place[0], http_client=http), elicitation_callback=of_mcp, mode=era)
    server = StdioServerParameters(command=place[0], args=place[1:], env=dict(os.environ))
    return Client(server, elicitation_callback=of_mcp, mode=era)


async def main(library: str, era: str, *place: str) -> None:
    async with client(library, era, list(place)) as talk:

        async def call(tool: str, **arguments):
            if library == "fastmcp":
                result = await talk.call_tool(tool, arguments, raise_on_error=False)
            else:
                result = await talk.call_tool(tool, arguments)
            said = result.structured_content
            print(f"{tool}:", said["status"], said.get("result", ""))
            return said

        tools = await talk.list_tools()
        tools = tools if library == "fastmcp" else tools.tools
        print(len(tools), "tools, from", tools[0].name)
        for answer in ("decline", "accept"):
            answers.append(answer)
            plan = await call("run", program=PROGRAM)
            await call("apply", plan_id=plan["plan_id"])
            await call("run", program=LOOK)
        again = await call("apply", plan_id=plan["plan_id"])
        answers.append("accept")
        undo = await call("undo", session=again["session"])
        await call("apply", plan_id=undo["plan_id"])
        await call("run", program=LOOK)


asyncio.run(main(*sys.argv[1:]))
