/** Every example of an integration is run as its reader runs it, against one server, with providers on this machine. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";
import { type AskedChat, type ChatProvider, completion, json, saying, startChatProvider } from "../doubles/chat-provider.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

let folder: string;
let provider: ChatProvider;
let server: ServerProcess;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-integrations-"));
	provider = await startChatProvider();
	server = await startServerProcess(folder, { CAIRN_LOG_LEVEL: "error", CAIRN_ROUTER_URL: provider.baseUrl });
	env = {
		...{ PATH: process.env["PATH"] ?? "", HOME: folder, CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "" },
		...{
			OPENAI_BASE_URL: provider.baseUrl,
			OPENAI_API_KEY: "sk-nobody",
			ANTHROPIC_BASE_URL: provider.baseUrl.replace("/v1", ""),
			ANTHROPIC_API_KEY: "sk-nobody",
			MASTRA_TELEMETRY_DISABLED: "1",
		},
	};
	await cairn("/v4/memories", { containerTag: "leonie", memories: [{ content: "Leonie is allergic to nuts.", isStatic: true }] });
});
afterAll(async () => {
	await server.kill("SIGTERM");
	await provider.stop();
	await rm(folder, { recursive: true, force: true });
});
beforeEach(() => provider.behave(saying("Good to know.")));

async function cairn(path: string, body: object): Promise<unknown> {
	const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
	const answer = await fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	expect(answer.status, await answer.clone().text()).toBeLessThan(300);
	return answer.json();
}

/** What a script prints when it ends well. */
async function printed(program: string, script: string): Promise<string> {
	const child = Bun.spawn([program, join(rootFolder, "examples", script)], { env, cwd: folder, stdout: "pipe", stderr: "pipe" });
	const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
	expect([code, err], out).toEqual([0, ""]);
	return out;
}
const run = (script: string) => printed(process.execPath, script);

/** Calls one tool after another, and then repeats what the last of them said. */
function callingTools(...calls: readonly (readonly [name: string, input: object])[]) {
	return (asked: AskedChat) => {
		const done = asked.messages.filter(({ role }) => role === "tool");
		const [name, input] = calls[done.length] ?? [];
		if (name === undefined) return completion({ role: "assistant", content: `I know: ${done.at(-1)?.content}` });
		const call = { id: `call-${done.length}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
		return completion({ role: "assistant", content: null, tool_calls: [call] }, "tool_calls");
	};
}

test("the official client", async () => {
	expect(await run("supermemory-client/main.ts")).toMatch(/^[01]\.\d\d .*allergic to nuts[\s\S]*^profile: \[/m);
});

test("the AI SDK with Supermemory's tools", async () => {
	const answer = callingTools(["searchMemories", { informationToGet: "What is Leonie allergic to?" }]);
	provider.behave((response, asked) => json(response, 200, answer(asked)));
	expect(await run("ai-sdk/tools.ts")).toMatch(/^searchMemories \{"informationToGet".*\n.*I know: .*Leonie is allergic to nuts/);
});

test("the AI SDK with Supermemory's middleware: what is known goes in, what is said is kept", async () => {
	expect(await run("ai-sdk/middleware.ts")).toBe("Good to know.\n");
	expect(provider.last().system).toContain("Leonie is allergic to nuts");
	const kept = await until(async () => {
		const { results } = (await cairn("/v3/search", { q: "moved to Saltmarsh", containerTags: ["leonie"] })) as {
			readonly results: readonly { readonly chunks: readonly { readonly content: string }[] }[];
		};
		return results.flatMap(({ chunks }) => chunks.map(({ content }) => content)).find((content) => content.includes("Saltmarsh"));
	});
	expect(kept).toContain("Good to know.");
});

test("OpenAI's client with tools", async () => {
	const answer = callingTools(["remember", { fact: "The user is allergic to nuts." }], ["recall", { question: "allergies of the user" }]);
	provider.behave((response, asked) => json(response, 200, answer(asked)));
	expect(await run("openai-tools/main.ts")).toMatch(/^remember \{"fact".*\nrecall \{"question".*\nI know: \[.*allergic to nuts/);
});

test("an agent of Mastra with tools", async () => {
	const answer = callingTools(["remember", { fact: "The user is allergic to nuts." }], ["recall", { question: "allergies of the user" }]);
	provider.behave((response, asked) => json(response, 200, answer(asked)));
	expect(await run("mastra/main.ts")).toMatch(/^remember The user is allergic to nuts\.\nrecall allergies of the user\nI know: .*allergic to nuts/);
});

test("Anthropic's client with tools", async () => {
	const calls: object[] = [
		{ type: "tool_use", id: "toolu_1", name: "remember", input: { fact: "The user is allergic to nuts." } },
		{ type: "tool_use", id: "toolu_2", name: "recall", input: { question: "allergies of the user" } },
	];
	provider.behave((response, { path, messages }) => {
		expect(path).toStartWith("/v1/messages");
		const call = calls.shift();
		// Of a thread only what is new is sent: here the result of the last tool.
		const content = [call ?? { type: "text", text: `I know: ${JSON.stringify(messages.at(-1)?.content)}` }];
		const message = { id: `msg_${calls.length}`, type: "message", role: "assistant", model: "stub", content, stop_sequence: null };
		json(response, 200, { ...message, stop_reason: call === undefined ? "end_turn" : "tool_use", usage: { input_tokens: 1, output_tokens: 1 } });
	});
	expect(await run("anthropic-tools/main.ts")).toMatch(/^remember The user is allergic to nuts\.\nrecall allergies of the user\nI know: .*allergic to nuts/);
});

test("a retriever of LangChain.js", async () => {
	expect(await run("langchain-retriever/main.ts")).toMatch(
		/^[01][.\d]* Leonie is allergic to nuts\.[\s\S]*System: Answer by what is known:[\s\S]*allergic to nuts[\s\S]*Human: What is Leonie allergic to\?/,
	);
});

test("a retriever of LlamaIndex.TS", async () => {
	expect(await run("llamaindex-retriever/main.ts")).toMatch(/^[01][.\d]* Leonie is allergic to nuts\.$/m);
});

test("the memory router", async () => {
	expect(server.printed()).toContain(`memory router    ${server.address}/v1 in front of ${provider.baseUrl}\n`);
	provider.behave((response, asked) => saying(asked.system === "" ? "Hello!" : `You said: ${asked.system.split("\n").at(-1)}`)(response, asked));
	expect(await run("memory-router/main.ts")).toMatch(/^Hello!\nYou said: .*allergic to nuts/);
});

test.skipIf(Bun.which("python3") === null)("plain Python", async () => {
	expect(await printed("python3", "python/main.py")).toMatch(/^[01]\.\d\d Ada is allergic to cats\.\nprofile: \['Ada is allergic to cats\.'\]\n$/);
});

interface Node {
	readonly name: string;
	readonly type: string;
	readonly parameters: {
		readonly method?: string;
		readonly url?: string;
		readonly jsonBody?: string;
		readonly assignments?: { readonly assignments: readonly { readonly name: string; readonly value: string }[] };
	};
}
interface Workflow {
	readonly nodes: readonly Node[];
	readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>>;
}

test("the requests of the n8n workflow, in its order", async () => {
	const { nodes, connections } = (await Bun.file(join(rootFolder, "examples", "n8n", "workflow.json")).json()) as Workflow;
	const named = (name: string) => nodes.find((node) => node.name === name);
	const order: Node[] = [];
	for (let node = nodes.find(({ type }) => type.endsWith("Trigger")); node !== undefined; node = named(connections[node.name]?.main[0]?.[0]?.node ?? ""))
		order.push(node);
	expect(order).toHaveLength(nodes.length);

	const items = new Map<string, { readonly item: { readonly json: unknown } }>();
	/** As n8n reads `={{ … }}`: JavaScript between braces, anything else as it stands. */
	const evaluate = (text = ""): unknown => {
		const parts = text.startsWith("=") ? text.slice(1).split(/(\{\{.*?\}\}(?!\}))/) : [text];
		const values = parts
			.filter((part) => part !== "")
			.map((part) => (part.startsWith("{{") ? new Function("$", `return (${part.slice(2, -2)})`)((name: string) => items.get(name)) : part));
		return values.length === 1 ? values[0] : values.join("");
	};
	const answers: unknown[] = [];
	for (const { name, type, parameters } of order) {
		const assigned = Object.fromEntries((parameters.assignments?.assignments ?? []).map((one) => [one.name, one.value]));
		if (type.endsWith(".set")) items.set(name, { item: { json: { ...assigned, url: server.address } } });
		if (!type.endsWith(".httpRequest")) continue;
		const url = String(evaluate(parameters.url));
		expect([parameters.method, url.startsWith(server.address)]).toEqual(["POST", true]);
		answers.push(await cairn(url.slice(server.address.length), evaluate(parameters.jsonBody) as object));
	}
	expect(answers).toMatchObject([{ memories: [{ memory: "Mira is allergic to nuts." }] }, { results: [{ memory: "Mira is allergic to nuts." }] }]);
});
