/**
 * Runs every scenario beside this file: requests and what they should be answered, as anybody can write them. A scenario
 * has an organisation of its own on one shared server. The format is told in README.md.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

interface Step {
	readonly request?: string;
	readonly body?: unknown;
	readonly text?: string;
	readonly file?: { readonly name: string; readonly text?: string; readonly fixture?: string; readonly type?: string };
	readonly form?: Readonly<Record<string, string>>;
	readonly key?: string | null;
	readonly status?: number;
	readonly expect?: unknown;
	readonly lacks?: readonly string[];
	readonly keep?: Readonly<Record<string, string>>;
	readonly finish?: string;
	readonly until?: string;
}

interface Scenario {
	readonly name: string;
	readonly steps: readonly Step[];
}

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer();
});
afterAll(() => server.dispose());

const folder = import.meta.dir;
const files = readdirSync(folder, { recursive: true })
	.map(String)
	.filter((name) => name.endsWith(".yaml"))
	.sort();

for (const endpoint of new Set(files.map(dirname))) {
	describe(endpoint, () => {
		for (const file of files.filter((name) => dirname(name) === endpoint)) {
			const scenario = parse(readFileSync(join(folder, file), "utf8")) as Scenario;
			test(scenario.name, async () => {
				const client = await server.client();
				const kept = new Map<string, string>();
				for (const step of scenario.steps) await run(step, client, kept);
			}, 120_000);
		}
	});
}

/** What runs in the background has this long. */
const patienceMs = 120_000;

async function run(step: Step, client: TestClient, kept: Map<string, string>): Promise<void> {
	if (step.finish !== undefined) {
		const document = await client.finished(fill(step.finish, kept));
		expect(document).toMatchObject(expected(step.expect ?? { status: "done" }, kept) as object);
		return;
	}
	if (step.until !== undefined) {
		const { until: request, ...rest } = step;
		const end = Date.now() + patienceMs;
		while (
			!(await run({ ...rest, request }, client, kept).then(
				() => true,
				() => false,
			)) &&
			Date.now() < end
		)
			await Bun.sleep(10);
		return run({ ...rest, request }, client, kept);
	}
	const [method = "GET", path = "/"] = fill(step.request ?? "", kept).split(" ");
	const response = await client.send(method, path, step.body === undefined ? undefined : expected(step.body, kept), initOf(step));
	const answer = response.headers.get("content-type")?.includes("json") ? await response.json() : null;
	const shown = `${method} ${path} → ${response.status} ${JSON.stringify(answer)?.slice(0, 600)}`;
	expect(response.status, shown).toBe(step.status ?? 200);
	// Before anything is compared: Bun's toMatchObject writes its matchers into what it is given.
	for (const [member, name] of Object.entries(step.keep ?? {})) kept.set(name, String((answer as Record<string, unknown>)[member]));
	const answered = JSON.stringify(answer);
	if (step.expect !== undefined) expect(answer, shown).toMatchObject(expected(step.expect, kept) as object);
	for (const key of step.lacks ?? []) expect(answered, shown).not.toContain(key);
}

function initOf({ text, file, form, key }: Step): RequestInit {
	const headers: Record<string, string> = key === undefined ? {} : { authorization: key ?? "" };
	if (text !== undefined) return { body: text, headers };
	if (file === undefined && form === undefined) return { headers };
	const data = new FormData();
	for (const [name, value] of Object.entries(form ?? {})) data.append(name, value);
	if (file !== undefined) data.append("file", new File([contentOf(file)], file.name, file.type === undefined ? {} : { type: file.type }));
	return { body: data, headers };
}

function contentOf({ text, fixture }: NonNullable<Step["file"]>): string | Uint8Array<ArrayBuffer> {
	return fixture === undefined ? (text ?? "") : new Uint8Array(readFileSync(join(folder, "../fixtures", fixture)));
}

/** `${name}` is what an earlier step has kept; `~text` is a regular expression; `<any>` is anything but nothing. */
function expected(value: unknown, kept: ReadonlyMap<string, string>): unknown {
	if (typeof value === "string") {
		if (value === "<any>") return expect.anything();
		return value.startsWith("~") ? expect.stringMatching(new RegExp(value.slice(1), "s")) : fill(value, kept);
	}
	if (Array.isArray(value)) return value.map((member) => expected(member, kept));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [fill(key, kept), expected(member, kept)]));
}

function fill(text: string, kept: ReadonlyMap<string, string>): string {
	return text.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => kept.get(name) ?? `<${name} was not kept>`);
}
