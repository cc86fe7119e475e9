/** What docs/mcp.md gives to paste into clients: each block is read as its client reads it, and the tools are listed through it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const patienceMs = 120_000;
const clone = resolve(import.meta.dir, "../..");
/** As `scripts/bun.mjs` knows that all packages are there. Otherwise the program would install them first, while other tests use them. */
const installed = await Bun.file(join(clone, "node_modules/.cairn-installed"))
	.text()
	.catch(() => "");
const wanted = createHash("sha256")
	.update(await Bun.file(join(clone, "package.json")).bytes())
	.update(await Bun.file(join(clone, "bun.lock")).bytes());
const isInstalled = installed.startsWith(wanted.digest("hex"));
if (!isInstalled) console.warn("not tested, npm start would install packages: what docs/mcp.md gives to Claude Desktop");

let folder: string;
let page: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-mcp-blocks-"));
	server = await startServerProcess(folder);
	page = (await Bun.file(join(clone, "docs/mcp.md")).text())
		.replaceAll("http://127.0.0.1:6767", server.address)
		.replaceAll("sm_…", server.key ?? "")
		.replaceAll("/path/to/cairn", clone);
}, patienceMs);
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
}, patienceMs);

/** The first block of code behind the name of a client. */
function blockFor(client: string): string {
	const block = new RegExp(`\\*\\*${client}\\*\\*[^\`]*(?:\`[^\`]+\`[^\`]*)?\`\`\`(?:json|sh)\\n(.*?)\`\`\``, "s").exec(page)?.[1];
	if (block === undefined) throw new Error(`docs/mcp.md has no block for ${client}`);
	return block;
}

async function toolsOver(transport: Transport): Promise<readonly string[]> {
	const client = new Client({ name: "test", version: "1" });
	await client.connect(transport);
	try {
		return (await client.listTools()).tools.map(({ name }) => name);
	} finally {
		await client.close();
	}
}

const overHttp = (url: string, headers: Readonly<Record<string, string>>) =>
	toolsOver(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);

interface HttpServer {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

test(
	"Cursor and VS Code read an address and headers",
	async () => {
		const cursor = JSON.parse(blockFor("Cursor")) as { readonly mcpServers: { readonly cairn: HttpServer } };
		expect(await overHttp(cursor.mcpServers.cairn.url, cursor.mcpServers.cairn.headers)).toContain("search_memory");
		const code = JSON.parse(blockFor("VS Code")) as { readonly servers: { readonly cairn: HttpServer & { readonly type: string } } };
		expect(code.servers.cairn.type).toBe("http");
		expect(await overHttp(code.servers.cairn.url, code.servers.cairn.headers)).toContain("search_memory");
	},
	patienceMs,
);

test(
	"Claude Code is given an address and a header by a shell",
	async () => {
		// The shell takes the line apart; in place of Claude Code it prints what it would be given.
		const words = (await Bun.$`sh -c ${`claude() { printf '%s\n' "$@"; }\n${blockFor("Claude Code")}`}`.text()).trimEnd().split("\n");
		expect(words.slice(0, 5)).toEqual(["mcp", "add", "--transport", "http", "cairn"]);
		const [url = "", option, header = ""] = words.slice(5);
		const [name = "", value = ""] = header.split(": ");
		expect([option, name]).toEqual(["--header", "Authorization"]);
		expect(await overHttp(url, { [name]: value })).toContain("search_memory");
	},
	patienceMs,
);

test.skipIf(!isInstalled)(
	"Claude Desktop starts a program, with few variables of its own",
	async () => {
		interface Program {
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
		}
		const { cairn } = (JSON.parse(blockFor("Claude Desktop")) as { readonly mcpServers: { readonly cairn: Program } }).mcpServers;
		expect(await toolsOver(new StdioClientTransport({ command: cairn.command, args: [...cairn.args], env: { ...cairn.env }, cwd: folder }))).toContain(
			"search_memory",
		);
	},
	patienceMs,
);
