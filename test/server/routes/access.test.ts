/** Every route declares what it demands, and is really asked: without a key, with each role, twice, and for what it must not remember or log. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { Json } from "cairn-memory";
import type { ApiKey } from "cairn-memory/stores";
import { keyRecord, makeKey } from "../../../server/auth/keys.ts";
import type { Operation } from "../../../server/routes/operation.ts";
import { startTestServer, type TestClient, type TestServer, withRouter } from "../../doubles/test-server.ts";

const patienceMs = 120_000;
const logged: string[] = [];
let server: TestServer;
let owner: TestClient;
let organisation: ApiKey["organisation"];
let operations: readonly Operation[];

beforeAll(async () => {
	const log = (...line: readonly unknown[]) => void logged.push(JSON.stringify(line));
	server = await startTestServer(["--rate-limit=1000000/60s", "--oauth-address=http://localhost", ...withRouter], {}, { world: { log } });
	owner = await server.client();
	organisation = (await owner.send("GET", "/v3/session").then((answer) => answer.json())).org.id;
	({ operations } = server.app);
	// Pages are built when somebody first asks, which is not what is timed here.
	for (const path of ["/", "/docs"]) await server.app.handle(new Request(`http://localhost${path}`, { headers: { accept: "text/html" } }));
}, patienceMs);
afterAll(() => server.dispose());

async function keyWith(traits: Partial<ApiKey>): Promise<TestClient> {
	const secret = makeKey(organisation);
	await server.parts.storage.accounts.addKey({ ...keyRecord(secret, "test", organisation, server.parts.world), ...traits });
	return server.clientWith(secret);
}

/** With names that nothing has, and a body that no route takes for more than a look. */
async function ask(client: TestClient, { method, path }: Operation, headers: Readonly<Record<string, string>> = {}) {
	const answer = await client.send(method, path.replaceAll(/:\w+/g, "nothing-has-this"), method === "GET" ? undefined : {}, { headers });
	const isStream = answer.headers.get("content-type")?.includes("event-stream") === true;
	if (isStream) await answer.body?.cancel();
	const said = isStream ? "" : await answer.text();
	const code = answer.headers.get("content-type")?.startsWith("application/json") ? ((JSON.parse(said) as { readonly code?: string }).code ?? null) : null;
	return { status: answer.status, code, headers: answer.headers };
}

const kept = () => server.parts.storage.organisation(organisation).records.list("idempotency", null, 10_000, server.parts.world.now());
const name = ({ method, path }: Operation) => `${method} ${path}`;
/** The routes of which `act` answers otherwise than expected. */
async function against(all: readonly Operation[], expected: unknown, act: (operation: Operation) => Promise<unknown>): Promise<void> {
	expect(all.length).toBeGreaterThan(0);
	for (const operation of all) expect([name(operation), await act(operation)]).toEqual([name(operation), expected]);
}
/** Its services ask for the role where it is no dry run. */
const isRehearsed = ({ access }: Operation) => access.idempotent === "by-key" && access.scope === "read";
const withKey = () => operations.filter(({ access }) => access.auth === "key");

test("no route is there that was not declared", () => {
	expect(server.app.routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(operations.map(name).toSorted());
	expect(operations.length).toBeGreaterThan(90);
	const paths = operations.filter(({ access }) => access.auth !== "key").map(({ path }) => path);
	expect(paths.toSorted()).toEqual([
		"/",
		"/.well-known/oauth-authorization-server",
		"/.well-known/oauth-protected-resource",
		"/.well-known/oauth-protected-resource/mcp",
		"/console/:name",
		"/docs",
		"/docs/",
		"/docs/:page",
		"/docs/:page/:part",
		"/docs/assets/:name",
		"/docs/images/:name",
		"/files/:key",
		"/health",
		"/oauth/authorize",
		"/oauth/authorize",
		"/oauth/register",
		"/oauth/revoke",
		"/oauth/token",
		"/openapi.json",
		"/ready",
		"/swagger",
		"/swagger/",
		"/swagger/assets/:name",
		"/swagger/json",
		"/v3/connections/auth/callback/:provider",
		"/v3/openapi",
		"/v4/openapi",
	]);
});

test("what is not read only says so: everything but a GET writes, or is a POST that is known to read", () => {
	const reading = operations.filter(({ method, access, isOld }) => method !== "GET" && access.idempotent === "always" && isOld !== true).map(name);
	expect(reading.toSorted()).toEqual([
		"POST /v3/connections/:providerOrId/connection",
		"POST /v3/connections/:providerOrId/documents",
		"POST /v3/connections/list",
		"POST /v3/documents/documents",
		"POST /v3/documents/documents/by-ids",
		"POST /v3/documents/documents/facets",
		"POST /v3/documents/list",
		"POST /v3/search",
		"POST /v3/settings/suggest-buckets",
		"POST /v4/memories/list",
		"POST /v4/profile",
		"POST /v4/profile/buckets",
		"POST /v4/search",
	]);
	expect(operations.filter(({ method, access }) => method === "GET" && access.idempotent !== "always").map(name)).toEqual([]);
});

describe("a route that asks for a key", () => {
	test("is closed without one and to a wrong one, and every other is open", async () => {
		await against(withKey(), [401, "KEY_INVALID"], async (operation) => {
			const { status, code } = await ask(server.clientWith(""), operation, { authorization: "", "idempotency-key": "without" });
			return [status, code];
		});
		const open = operations.filter(({ access }) => access.auth === "none");
		await against(open, false, async (operation) => (await ask(server.clientWith(""), operation, { authorization: "" })).status === 401);
	});

	test("is closed to a key that is bound to other endpoints, unless it is for any", async () => {
		const bound = await keyWith({ role: "admin", endpoints: ["/v9/elsewhere"] });
		for (const isForAny of [true, false]) {
			const meant = withKey().filter(({ access }) => (access.scope === "any") === isForAny);
			await against(meant, !isForAny, async (operation) => (await ask(bound, operation)).code === "ENDPOINT_FORBIDDEN");
		}
	});

	test("is closed to every lesser role, before anything is read, kept or done, and to no sufficient one", async () => {
		const grants = [{ containerTag: "garden", permission: "write" }] as const;
		const callers = { read: await keyWith({ role: "read" }), write: await keyWith({ role: "write" }), scoped: await keyWith({ role: "admin", grants }) };
		const before = (await kept()).length;
		const closed = { read: ["write", "admin", "operator"], write: ["admin", "operator"], scoped: ["admin", "operator"] };
		for (const [who, scopes] of Object.entries(closed) as [keyof typeof callers, readonly string[]][]) {
			const isClosed = ({ access }: Operation) => scopes.includes(access.scope);
			await against(withKey().filter(isClosed), [403, "ROLE_MISSING"], async (operation) => {
				const { status, code } = await ask(callers[who], operation, { "idempotency-key": name(operation).replaceAll(" ", "") });
				return [status, code];
			});
			if (who === "read") for (const operation of withKey().filter(isRehearsed)) await ask(callers.read, operation, { "idempotency-key": "dry" });
			const opened = withKey().filter((operation) => !isClosed(operation) && !isRehearsed(operation));
			await against(opened, true, async (operation) => (await ask(callers[who], operation)).code !== "ROLE_MISSING");
		}
		expect(await kept()).toHaveLength(before);
	});

	test("counts what it says it counts", async () => {
		for (const rate of ["key", "none"]) {
			const counted = operations.filter(({ access }) => access.rate === rate);
			await against(counted, rate === "key", async (operation) => (await ask(owner, operation)).headers.has("ratelimit-limit"));
		}
	});
});

test("what is open to readers as a dry run is closed to them in earnest", async () => {
	const reader = await keyWith({ role: "read" });
	await owner.send("POST", "/v4/memories", { containerTag: "garden", memories: [{ content: "Ottilie keeps bees." }] });
	const asked = [
		["/v4/memories/forget-matching", { containerTag: "garden", query: "bees", threshold: 0 }],
		["/v4/sources/rollback", { customIdPrefix: "newsletter-" }],
	] as const;
	expect(asked.map(([path]) => `POST ${path}`)).toEqual(operations.filter(isRehearsed).map(name));
	for (const [path, body] of asked) {
		expect([path, (await reader.send("POST", path, { ...body, dryRun: true })).status]).toEqual([path, 200]);
		const answer = await reader.send("POST", path, { ...body, dryRun: false });
		expect([path, answer.status, ((await answer.json()) as { readonly code: string }).code]).toEqual([path, 403, "ROLE_MISSING"]);
	}
});

test("a signed link is not opened by guessing", async () => {
	const links = operations.filter(({ access }) => access.auth === "link");
	await against(links, [403, "LINK_INVALID"], async (operation) => {
		const { status, code } = await ask(owner, operation);
		return [status, code];
	});
});

test("under an Idempotency-Key what writes is answered once, and what reads is answered anew", async () => {
	const client = await keyWith({ role: "admin" });
	const twice = async (operation: Operation) => {
		const named = { "idempotency-key": `twice-${name(operation).replaceAll(" ", "")}` };
		await ask(client, operation, named);
		const { headers, code } = await ask(client, operation, named);
		return headers.has("idempotency-replayed") || code === "IDEMPOTENCY_UNKNOWN";
	};
	for (const idempotent of ["by-key", "always"]) {
		const meant = withKey().filter(({ access }) => access.idempotent === idempotent);
		await against(meant, idempotent === "by-key", twice);
	}
});

describe("a route with secrets", () => {
	const bodySecret = "s3-secret-not-to-be-kept";

	/** Really called, each in a way that succeeds. */
	async function secretsShown(): Promise<ReadonlyMap<string, { readonly answer: Response; readonly secret: string }>> {
		const shown = new Map<string, { readonly answer: Response; readonly secret: string }>();
		const call = async (route: string, path: string, secretOf: (said: Record<string, string>) => string, body?: unknown) => {
			const [method = ""] = route.split(" ");
			const answer = await owner.send(method, path, body, { headers: { "idempotency-key": `secret-${path}` } });
			const said = (await answer.clone().json()) as Record<string, string>;
			expect([route, answer.ok]).toEqual([route, true]);
			shown.set(route, { answer, secret: secretOf(said) });
			return said;
		};
		await call("POST /v3/auth/agent-key", "/v3/auth/agent-key", ({ key = "" }) => key, { name: "x", permission: "read" });
		await call("POST /v3/auth/scoped-key", "/v3/auth/scoped-key", ({ key = "" }) => key, { containerTag: "garden" });
		await call("POST /v3/organisations", "/v3/organisations", ({ key = "" }) => key, { name: "Harbour" });
		const { id } = await call("POST /v3/webhooks", "/v3/webhooks", ({ secret = "" }) => secret, { url: "https://example.com/", types: ["document.done"] });
		await call("POST /v3/webhooks/:id/rotate", `/v3/webhooks/${id}/rotate`, ({ secret = "" }) => secret);
		const form = new FormData();
		form.set("file", new File(["Ada keeps bees."], "bees.txt", { type: "text/plain" }));
		const uploaded = (await (await owner.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
		for (const path of ["/v3/documents", "/v3/memories"]) {
			const signed = ({ url = "" }) => new URL(url).searchParams.get("signature") ?? "";
			const { url = "" } = await call(`GET ${path}/:id/file-url`, `${path}/${uploaded.id}/file-url`, signed);
			const answer = await owner.send("GET", url.replace("http://localhost", ""));
			shown.set("GET /files/:key", { answer, secret: signed({ url }) });
		}
		return new Map([...shown, ...(await signedIn())]);
	}

	/** An MCP client that a person lets in: the code goes back in an address, and the token in an answer. */
	async function signedIn() {
		const handle = async (path: string, init: RequestInit) => server.app.handle(new Request(`http://localhost${path}`, init));
		const send = (path: string, fields: Readonly<Record<string, string>>, cookie = "") =>
			handle(path, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded", cookie }, body: new URLSearchParams(fields).toString() });
		const back = { redirect_uri: "http://127.0.0.1:1/callback" };
		const registered = await handle("/oauth/register", { method: "POST", body: JSON.stringify({ redirect_uris: [back.redirect_uri] }) });
		const client = { client_id: String((await registered.json()).client_id), ...back };
		const verifier = "v".repeat(43);
		const challenge = { code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" };
		const page = await handle(`/oauth/authorize?${new URLSearchParams({ response_type: "code", ...client, ...challenge })}`, {});
		const ticket = /name="ticket" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
		const allowed = await send("/oauth/authorize", { ticket, role: "read", decision: "allow", key: owner.key }, page.headers.get("set-cookie")?.split(";")[0]);
		const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
		const given = await send("/oauth/token", { grant_type: "authorization_code", code, code_verifier: verifier, ...client });
		const token = String((await given.clone().json()).access_token);
		expect([code, token].map((secret) => secret.slice(0, 7))).toEqual(["sm_code", "sm_acce"]);
		return [
			["POST /oauth/authorize", { answer: allowed, secret: code }],
			["POST /oauth/token", { answer: given, secret: token }],
		] as const;
	}

	test("keeps no answer that shows one, nor does anybody on the way, and no line of the log holds one", async () => {
		const shown = await secretsShown();
		expect([...shown.keys()].toSorted()).toEqual(
			operations
				.filter(({ access }) => access.secret === "answer")
				.map(name)
				.toSorted(),
		);
		await owner.send("PATCH", "/v3/settings", { googleDriveClientSecret: bodySecret }, { headers: { "idempotency-key": "body-secret" } });
		const metadata = { bucket: "b", accessKeyId: "a", secretAccessKey: bodySecret, region: "eu-central-1", endpoint: "http://127.0.0.1:1" };
		await owner.send("POST", "/v3/connections/s3", { containerTag: "a", metadata }, { headers: { "idempotency-key": "body-secret-2" } });
		const memory = JSON.stringify((await kept()).map(({ value }) => [value, unpacked(value)]));
		for (const [route, { answer, secret }] of shown) {
			expect([route, secret.length > 10, answer.headers.get("cache-control")]).toEqual([route, true, "no-store"]);
			expect([route, memory.includes(secret), logged.join("\n").includes(secret)]).toEqual([route, false, false]);
		}
		expect([memory.includes(bodySecret), logged.join("\n").includes(bodySecret)]).toEqual([false, false]);
	});

	/** What was answered, in the clear. */
	function unpacked(value: Json): string {
		const body = /"body":"([A-Za-z0-9+/=]{12,})"\}/.exec(JSON.stringify(value))?.[1] ?? "";
		return Buffer.from(body, "base64").toString("utf8");
	}
});
