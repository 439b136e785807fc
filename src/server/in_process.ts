import { InMemoryTransport, type McpServer, type Transport } from "@modelcontextprotocol/server";

/** Connects to a server in this process. Returns the client's end of the connection; closing it closes the server. */
export async function connectInProcess(server: McpServer): Promise<Transport> {
  const [client_end, server_end] = InMemoryTransport.createLinkedPair();
  await server.connect(server_end);
  return client_end;
}
