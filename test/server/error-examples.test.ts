/** The errors in the description are true: what wrong requests are answered stands there, with its status and its code. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { catalog, type ErrorCode } from "../../core/errors/catalog.ts";
import { ServiceError } from "../../core/errors/fail.ts";
import { statusFor } from "../../server/wire/responses/error.ts";
import { startTestServer, type TestClient, type TestServer, withRouter } from "../doubles/test-server.ts";

interface Answer {
	readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: Readonly<Record<string, { readonly value: Example }>> }>>;
}
interface Example {
	readonly error: string;
	readonly details: string;
	readonly code: ErrorCode;
	readonly requestId: string;
}
interface Described {
	readonly method: string;
	readonly path: string;
	readonly responses: Readonly<Record<string, Answer>>;
	readonly requestBody?: { readonly content: NonNullable<Answer["content"]> };
}

let server: TestServer;
let admin: TestClient;
let bound: TestClient;
let reader: TestClient;
let operations: readonly Described[];
beforeAll(async () => {
	server = await startTestServer(withRouter);
	admin = await server.client();
	await admin.send("PATCH", "/v3/container-tags/family", { name: "Family" });
	bound = await madeBy("/v3/auth/scoped-key", { containerTag: "family" });
	reader = await madeBy("/v3/auth/agent-key", { name: "reader", permission: "read" });
	const { paths } = (await (await admin.send("GET", "/openapi.json")).json()) as {
		readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
	};
	operations = Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
	);
});
afterAll(() => server.dispose());

async function madeBy(path: string, body: object): Promise<TestClient> {
	const answer = await admin.send("POST", path, body);
	expect(answer.status, await answer.clone().text()).toBeLessThan(300);
	return server.clientWith(((await answer.json()) as { readonly key: string }).key);
}

const isFailure = ([status]: readonly [string, unknown]) => Number(status) >= 400;
const codesOf = (answer: Answer | undefined) => Object.keys(answer?.content?.["application/json"]?.examples ?? {});

test("every failure has examples, each in the form of an error, under its own code and the status of that code", () => {
	for (const { method, path, responses } of operations) {
		for (const [status, answer] of Object.entries(responses).filter(isFailure)) {
			const examples = Object.entries(answer.content?.["application/json"]?.examples ?? {});
			expect(examples.length, `${method} ${path} ${status}`).toBeGreaterThan(0);
			for (const [name, { value }] of examples) {
				expect(Object.keys(value)).toEqual(["error", "details", "code", "requestId"]);
				expect([value.code, String(statusFor(new ServiceError(value.code, [])))]).toEqual([name as ErrorCode, status]);
				expect(Object.hasOwn(catalog, value.code)).toBe(true);
				// A gap between two words is one that no sample fills.
				expect(value.error, `${name} of ${method} ${path}`).not.toMatch(/%s|^ | {2}|: $| $|\(\)/);
			}
		}
	}
});

/** What is asked wrongly of each: without a key, with half a body, with nothing in it, with odd parameters, by narrow keys, for what is not there. */
const unknownId = "1".repeat(22);
const wrongs: readonly (readonly [what: string, ask: (operation: Described, url: string) => Promise<Response>])[] = [
	["no key", ({ method }, url) => admin.send(method, url, undefined, { headers: { authorization: "" } })],
	[
		"half a body",
		({ method }, url) => admin.send(method, url, undefined, method === "GET" ? {} : { body: "{", headers: { "content-type": "application/json" } }),
	],
	["an empty body", ({ method }, url) => admin.send(method, url, method === "GET" ? undefined : {})],
	["a list", ({ method }, url) => admin.send(method, url, method === "GET" ? undefined : [1])],
	["odd parameters", (operation, url) => admin.send(operation.method, `${url}?limit=-1&after=x&q=&cursor=x&types=x&container=%20`, bodyOf(operation))],
	["a key of one container", (operation, url) => bound.send(operation.method, url, bodyOf(operation))],
	["a key that reads", (operation, url) => reader.send(operation.method, url, bodyOf(operation))],
	["nothing there", (operation, url) => admin.send(operation.method, url, bodyOf(operation))],
];

function bodyOf({ method, requestBody }: Described): unknown {
	return method === "GET" ? undefined : (requestBody?.content["application/json"]?.example ?? {});
}

for (const [what, ask] of wrongs) {
	test(`${what}: whatever is refused is refused as described`, async () => {
		let refused = 0;
		for (const operation of operations) {
			const { method, path, responses } = operation;
			// A stream never ends by itself.
			if (path === "/v3/events" && what !== "no key") continue;
			// What is let in there is answered in the words of its own protocol.
			if (path === "/mcp" && what !== "no key") continue;
			const url = path.replace("{containerTag}", "nowhere").replaceAll(/\{\w+\}/g, unknownId);
			const answer = await ask(operation, url);
			const text = await answer.text();
			if (answer.status < 400) continue;
			refused++;
			const { code } = JSON.parse(text) as Example;
			expect(codesOf(responses[answer.status]), `${method} ${path} → ${answer.status} ${text}`).toContain(code);
		}
		expect(refused).toBeGreaterThan(10);
	});
}
