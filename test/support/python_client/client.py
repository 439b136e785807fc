"""Lists the tools and makes the calls that stdin names, through the public Python client; prints what came of each as JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    plan = json.load(sys.stdin)
    server = StdioServerParameters(command=plan["command"], args=plan["args"], env=plan["env"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        listed = await session.list_tools()
        ends = [await end_of(session, call) for call in plan["calls"]]
    json.dump({"tools": [tool.name for tool in listed.tools], "ends": ends}, sys.stdout)


async def end_of(session: ClientSession, call: dict) -> dict:
    try:
        result = (await session.call_tool(call["name"], call["arguments"])).model_dump(mode="json", by_alias=True)
    except Exception as error:
        return {"lost": str(error)}
    text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
    return {"is_error": result["isError"], "text": text, "structured": result["structuredContent"]}


asyncio.run(main())
