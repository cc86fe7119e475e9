/** MCP over both of its transports with the official client: the program `cairn mcp` on standard input and output, and `/mcp` of a server's socket. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";

const program = resolve(import.meta.dir, "../../../server/main.ts");
let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-mcp-"));
	server = await startServerProcess(folder);
});
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
});

async function connect(env: Readonly<Record<string, string>>): Promise<Client> {
	const client = new Client({ name: "test", version: "1" });
	await client.connect(new StdioClientTransport({ command: process.execPath, args: ["--no-install", program, "mcp"], env: { ...env } }));
	return client;
}

const transports: Readonly<Record<string, () => Promise<Client>>> = {
	"standard input and output": () => connect({ CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "", CAIRN_CONTAINER: "desk" }),
	HTTP: async () => {
		const client = new Client({ name: "test", version: "1" });
		const headers = { authorization: `Bearer ${server.key}`, "x-sm-project": "desk" };
		await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`), { requestInit: { headers } }));
		return client;
	},
};

test.each(Object.entries(transports))(
	"thirty calls in a row over %s, and it ends when its client goes",
	async (_, connectTo) => {
		const client = await connectTo();
		const saved = await client.callTool({ name: "add_memory", arguments: { content: "Dee: I sharpen skates for a living." } });
		expect(saved.structuredContent).toMatchObject({ success: true, containerTag: "desk" });
		for (let i = 0; i < 30; i++) {
			const answer = await client.callTool({ name: i % 2 === 0 ? "search_memory" : "listDocuments", arguments: i % 2 === 0 ? { query: "skates" } : {} });
			expect(answer.isError).toBeUndefined();
		}
		await client.close();
	},
	60_000,
);

test("who pipes requests in and closes gets every answer", async () => {
	const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pipe", version: "1" } };
	const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "whoAmI", arguments: {} } });
	const messages = [
		{ jsonrpc: "2.0", id: 0, method: "initialize", params },
		{ jsonrpc: "2.0", method: "notifications/initialized" },
		call(1),
		call(2),
		call(3),
	];
	const child = Bun.spawn([process.execPath, "--no-install", program, "mcp"], {
		env: { CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "" },
		stdin: new TextEncoder().encode(messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
		stdout: "pipe",
		stderr: "inherit",
	});
	const lines = (await new Response(child.stdout).text()).trim().split("\n");
	const answers = lines.map((line) => JSON.parse(line) as { readonly id: number; readonly error?: unknown });
	expect(answers.map(({ id, error }) => [id, error]).toSorted()).toEqual([0, 1, 2, 3].map((id) => [id, undefined]));
	expect(await child.exited).toBe(0);
}, 60_000);

test("a server that is not there is named in the answer", async () => {
	const client = await connect({ CAIRN_URL: "http://127.0.0.1:9", CAIRN_API_KEY: "sm_none" });
	const answer = await client.callTool({ name: "whoAmI", arguments: {} });
	expect(answer.isError).toBe(true);
	expect(JSON.stringify(answer.content)).toContain("no Cairn server responds at http://127.0.0.1:9");
	await client.close();
}, 60_000);

test("without a key it says what is missing", async () => {
	const child = Bun.spawn([process.execPath, "--no-install", program, "mcp"], {
		env: { XDG_CONFIG_HOME: "/nowhere" },
		stdout: "pipe",
		stderr: "pipe",
		stdin: "ignore",
	});
	expect(await child.exited).toBe(1);
	expect(await new Response(child.stderr).text()).toContain("there is no API key for");
}, 60_000);
