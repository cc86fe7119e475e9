/** Sign-in for MCP clients: the official client goes the whole way, and what an attacker would try is refused. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { freePort } from "../doubles/free-port.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

/** The whole way goes over a socket. */
const port = await freePort();
const issuer = `http://127.0.0.1:${port}`;
const redirectUri = "http://127.0.0.1:33418/callback";
let now = new Date("2026-11-22T12:00:00Z");

let server: TestServer;
let client: TestClient;
let socket: Bun.Server<undefined>;
beforeAll(async () => {
	server = await startTestServer([`--oauth-address=${issuer}`], {}, { world: { now: () => now } });
	client = await server.client();
	socket = Bun.serve({ port, hostname: "127.0.0.1", fetch: (request) => server.app.handle(request) });
});
afterAll(async () => {
	await socket.stop(true);
	await server.dispose();
});

const passed = (ms: number) => {
	now = new Date(now.getTime() + ms);
};

const secret = () => randomBytes(32).toString("base64url");
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
const form = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => ({
	method: "POST",
	headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
	body: new URLSearchParams(fields).toString(),
	redirect: "manual" as const,
});

async function register(metadata: object = { client_name: "Test agent", redirect_uris: [redirectUri] }) {
	const headers = { "content-type": "application/json" };
	const response = await fetch(`${issuer}/oauth/register`, { method: "POST", headers, body: JSON.stringify(metadata) });
	return { status: response.status, body: (await response.json()) as { readonly client_id: string; readonly error?: string } };
}

interface Asked {
	readonly clientId: string;
	readonly verifier: string;
	readonly more?: Readonly<Record<string, string>>;
}

function authorizeUrl({ clientId, verifier, more = {} }: Asked): string {
	const usual = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, code_challenge: challengeOf(verifier), code_challenge_method: "S256" };
	return `${issuer}/oauth/authorize?${new URLSearchParams({ ...usual, state: "here", resource: `${issuer}/mcp`, scope: "read write", ...more })}`;
}

interface Choice {
	readonly key?: string;
	readonly role?: string;
	readonly container?: string;
	readonly decision?: string;
}

/** As a person does it: the page is opened, and its form sent back with the cookie. */
async function consent(url: string, { key = client.key, role = "write", container = "", decision = "allow" }: Choice = {}) {
	const page = await fetch(url, { redirect: "manual" });
	const html = await page.text();
	const ticket = /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? "";
	const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
	const fields = { ticket, key, role, container, decision };
	const answer = await fetch(`${issuer}/oauth/authorize`, form(fields, { cookie, origin: issuer, "sec-fetch-site": "same-origin" }));
	const location = answer.headers.get("location");
	return { page, html, ticket, cookie, fields, answer, back: location === null ? null : new URL(location) };
}

async function token(fields: Readonly<Record<string, string>>) {
	const response = await fetch(`${issuer}/oauth/token`, form(fields));
	return { status: response.status, body: (await response.json()) as OAuthTokens & { readonly error?: string }, headers: response.headers };
}

/** Tokens of a new client. */
async function signedIn(choice: Choice = {}) {
	const { body } = await register();
	const verifier = secret();
	const { back } = await consent(authorizeUrl({ clientId: body.client_id, verifier }), choice);
	const code = back?.searchParams.get("code") ?? "";
	const exchange = {
		grant_type: "authorization_code",
		client_id: body.client_id,
		redirect_uri: redirectUri,
		code,
		code_verifier: verifier,
		resource: `${issuer}/mcp`,
	};
	return { clientId: body.client_id, code, exchange, tokens: (await token(exchange)).body };
}

const refreshing = (clientId: string, refreshToken: string) => token({ grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken });

async function callTool(accessToken: string, name: string, input: object = {}) {
	const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
	const response = await fetch(`${issuer}/mcp`, { method: "POST", headers, body });
	return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What a client keeps, and a person in place of its browser. */
function provider(person: (url: URL) => Promise<void>) {
	const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {};
	const own: OAuthClientProvider = {
		redirectUrl: redirectUri,
		clientMetadata: { client_name: "Official client", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
		state: () => "of the client",
		clientInformation: () => kept.client,
		saveClientInformation: (information) => {
			kept.client = information;
		},
		tokens: () => kept.tokens,
		saveTokens: (tokens) => {
			kept.tokens = tokens;
		},
		redirectToAuthorization: person,
		saveCodeVerifier: (verifier) => {
			kept.verifier = verifier;
		},
		codeVerifier: () => kept.verifier ?? "",
	};
	return { own, kept };
}

describe("the official client", () => {
	test("finds the server, registers, is allowed in, calls tools, and refreshes when its token is over", async () => {
		let code = "";
		const { own, kept } = provider(async (url) => {
			const { back } = await consent(url.href);
			expect(back?.searchParams.get("state")).toBe("of the client");
			expect(back?.searchParams.get("iss")).toBe(issuer);
			code = back?.searchParams.get("code") ?? "";
		});
		const address = new URL(`${issuer}/mcp`);
		const first = new StreamableHTTPClientTransport(address, { authProvider: own });
		const refused = await new Client({ name: "test", version: "1" }).connect(first).catch((thrown: unknown) => thrown);
		expect(refused).toBeInstanceOf(UnauthorizedError);
		await first.finishAuth(code);
		const transport = new StreamableHTTPClientTransport(address, { authProvider: own });
		const mcp = new Client({ name: "test", version: "1" });
		await mcp.connect(transport);
		expect((await mcp.listTools()).tools.length).toBeGreaterThan(5);
		const before = kept.tokens?.access_token;
		passed(16 * 60_000);
		const { isError } = (await mcp.callTool({ name: "add_memory", arguments: { content: "The ferry leaves at six." } })) as { isError?: boolean };
		expect(isError).toBeUndefined();
		expect(kept.tokens?.access_token).not.toBe(before);
		await mcp.close();
	});
});

describe("what the server says of itself", () => {
	test("a request without a key is told where to read on", async () => {
		const response = await fetch(`${issuer}/mcp`, { method: "POST", body: "{}" });
		expect(response.status).toBe(401);
		expect(response.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp", scope="read write"`);
		const resource = (await (await fetch(`${issuer}/.well-known/oauth-protected-resource/mcp`)).json()) as Record<string, unknown>;
		expect(resource).toMatchObject({ resource: `${issuer}/mcp`, authorization_servers: [issuer] });
		const metadata = (await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>;
		expect(metadata).toMatchObject({ issuer, code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] });
	});

	test("a server without the setting has none of it", async () => {
		const plain = await startTestServer();
		for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/oauth/authorize"])
			expect((await plain.app.handle(new Request(`http://localhost${path}`))).status).toBe(404);
		const response = await plain.app.handle(new Request("http://localhost/mcp", { method: "POST", body: "{}" }));
		expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, null]);
		await plain.dispose();
	});

	test("an address that is not encrypted, or has a path, is refused at the start", async () => {
		for (const address of ["http://cairn.example.com", "https://cairn.example.com/mcp", "cairn"]) {
			const refused = await startTestServer([`--oauth-address=${address}`]).catch((thrown: unknown) => String(thrown));
			expect(refused).toContain("should be an https URL without a path, or an http URL of this machine");
		}
	});
});

describe("registration", () => {
	test("refuses addresses where a code would be read by others", async () => {
		for (const uri of [
			"http://evil.example.com/cb",
			"javascript:alert(1)",
			"data:text/html,x",
			"https://a.example/cb#x",
			"https://u:p@a.example/",
			"file:///etc",
		])
			expect([uri, (await register({ redirect_uris: [uri] })).status]).toEqual([uri, 400]);
		expect((await register({ redirect_uris: [] })).body.error).toBe("invalid_client_metadata");
		for (const uri of ["https://claude.ai/api/mcp/auth_callback", "cursor://anysphere.cursor-retrieval/oauth/callback", "http://localhost:1234/cb"])
			expect([uri, (await register({ redirect_uris: [uri] })).status]).toEqual([uri, 201]);
	});

	test("a client's id cannot be written by itself", async () => {
		const { body } = await register();
		const [sealed = "", signed = ""] = body.client_id.split(".");
		const forged = Buffer.from(JSON.stringify({ name: "x", redirectUris: ["https://evil.example.com"] })).toString("base64url");
		for (const clientId of [`${forged}.${signed}`, sealed, `${sealed}.`, "", `${sealed}.${secret()}`])
			expect((await fetch(authorizeUrl({ clientId, verifier: secret() }), { redirect: "manual" })).status).toBe(400);
	});
});

describe("the page", () => {
	test("names the client as text, loads nothing, cannot be framed, and is not kept", async () => {
		const { body } = await register({ client_name: '<script>alert("x")</script>', redirect_uris: [redirectUri] });
		const { page, html } = await consent(authorizeUrl({ clientId: body.client_id, verifier: secret() }));
		expect(html).toContain("&lt;script&gt;");
		expect(html).not.toMatch(/<script|\son\w+=/);
		const policy = page.headers.get("content-security-policy") ?? "";
		for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' http://127.0.0.1:33418"]) expect(policy).toContain(rule);
		expect(page.headers.get("cache-control")).toBe("no-store");
		expect(page.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
	});

	test("goes back only to what is registered: no foreign address gets a code, or a browser", async () => {
		const { body } = await register();
		for (const uri of [
			"https://evil.example.com",
			"http://127.0.0.1:33418/other",
			"http://127.0.0.1.evil.example.com:33418/callback",
			`${redirectUri}/..`,
			"http://u@127.0.0.1:33418/callback",
			"",
		]) {
			const response = await fetch(authorizeUrl({ clientId: body.client_id, verifier: secret(), more: { redirect_uri: uri } }), { redirect: "manual" });
			expect([uri, response.status, response.headers.get("location")]).toEqual([uri, 400, null]);
		}
		const other = await fetch(authorizeUrl({ clientId: body.client_id, verifier: secret(), more: { redirect_uri: "http://127.0.0.1:5/callback" } }));
		expect(other.status).toBe(200);
	});

	test("what else is wrong goes back to the client, with its state", async () => {
		const { body } = await register();
		const wrong: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
			[{ response_type: "token" }, "unsupported_response_type"],
			[{ code_challenge_method: "plain" }, "invalid_request"],
			[{ code_challenge: "" }, "invalid_request"],
			[{ scope: "admin" }, "invalid_scope"],
			[{ resource: "https://other.example.com/mcp" }, "invalid_target"],
		];
		for (const [more, error] of wrong) {
			const response = await fetch(authorizeUrl({ clientId: body.client_id, verifier: secret(), more }), { redirect: "manual" });
			const back = new URL(response.headers.get("location") ?? "");
			expect([back.origin, back.searchParams.get("error"), back.searchParams.get("state")]).toEqual(["http://127.0.0.1:33418", error, "here"]);
		}
	});

	test("a form that another site sends is refused: without the cookie, with another, from another origin, or with a ticket of another page", async () => {
		const { body } = await register();
		const { fields, cookie, answer } = await consent(authorizeUrl({ clientId: body.client_id, verifier: secret() }), { key: "wrong" });
		expect(answer.status).toBe(401);
		const right = { ...fields, key: client.key };
		const other = await consent(authorizeUrl({ clientId: body.client_id, verifier: secret() }), { key: "wrong" });
		const sent = async (given: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) => {
			const response = await fetch(`${issuer}/oauth/authorize`, form(given, headers));
			return [response.status, response.headers.get("location")];
		};
		expect(await sent(right, {})).toEqual([400, null]);
		expect(await sent(right, { cookie: `cairn-consent=${secret()}` })).toEqual([400, null]);
		expect(await sent(right, { cookie, origin: "https://evil.example.com" })).toEqual([403, null]);
		// Of this machine, and yet not this server.
		expect(await sent(right, { cookie, origin: "http://localhost:9999" })).toEqual([400, null]);
		expect(await sent(right, { cookie, origin: "null" })).toEqual([403, null]);
		expect(await sent(right, { cookie, "sec-fetch-site": "cross-site" })).toEqual([400, null]);
		expect(await sent({ ...right, ticket: other.ticket }, { cookie })).toEqual([400, null]);
		expect(await sent({ ...right, ticket: body.client_id }, { cookie })).toEqual([400, null]);
		expect((await sent(right, { cookie }))[0]).toBe(303);
		passed(11 * 60_000);
		expect(await sent(right, { cookie })).toEqual([400, null]);
	});

	test("a person may say no, and a key that reaches less cannot give more", async () => {
		const { body } = await register();
		const url = authorizeUrl({ clientId: body.client_id, verifier: secret() });
		expect((await consent(url, { decision: "deny" })).back?.searchParams.get("error")).toBe("access_denied");
		const made = await client.send("POST", "/v3/auth/scoped-key", { name: "reader", containerTags: [{ containerTag: "a", permission: "read" }] });
		const { key } = (await made.json()) as { key: string };
		expect((await consent(url, { key, role: "write" })).answer.status).toBe(403);
		expect((await consent(url, { key, role: "read", container: "b" })).answer.status).toBe(403);
		expect((await consent(url, { key, role: "read", container: "a" })).answer.status).toBe(303);
	});
});

describe("a code", () => {
	test("is good once; the second use ends what the first was given", async () => {
		const { exchange, tokens, clientId } = await signedIn();
		expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(200);
		expect((await token(exchange)).body.error).toBe("invalid_grant");
		expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(401);
		expect((await refreshing(clientId, tokens.refresh_token ?? "")).body.error).toBe("invalid_grant");
	});

	test("is exchanged once even when it comes many times at once", async () => {
		const { body } = await register();
		const verifier = secret();
		const { back } = await consent(authorizeUrl({ clientId: body.client_id, verifier }));
		const code = back?.searchParams.get("code") ?? "";
		const fields = { grant_type: "authorization_code", client_id: body.client_id, redirect_uri: redirectUri, code, code_verifier: verifier };
		const answers = await Promise.all(Array.from({ length: 8 }, () => token(fields)));
		expect(answers.filter(({ status }) => status === 200).length).toBe(1);
	});

	const wrong: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
		["another verifier", { code_verifier: secret() }, "invalid_grant"],
		["no verifier", { code_verifier: "" }, "invalid_request"],
		["another redirect", { redirect_uri: "http://127.0.0.1:1/callback" }, "invalid_grant"],
		["another client", { client_id: "someone" }, "invalid_grant"],
		["another resource", { resource: "https://other.example.com/mcp" }, "invalid_target"],
		["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
	];
	for (const [name, changed, error] of wrong) {
		test(`is not exchanged with ${name}`, async () => {
			const { body } = await register();
			const verifier = secret();
			const { back } = await consent(authorizeUrl({ clientId: body.client_id, verifier }));
			const usual = { grant_type: "authorization_code", client_id: body.client_id, redirect_uri: redirectUri, code_verifier: verifier };
			const answer = await token({ ...usual, code: back?.searchParams.get("code") ?? "", ...changed });
			expect([answer.status, answer.body.error]).toEqual([400, error]);
			expect(answer.headers.get("cache-control")).toBe("no-store");
		});
	}

	test("is too old after a minute", async () => {
		const { body } = await register();
		const verifier = secret();
		const { back } = await consent(authorizeUrl({ clientId: body.client_id, verifier }));
		passed(61_000);
		const usual = { grant_type: "authorization_code", client_id: body.client_id, redirect_uri: redirectUri, code_verifier: verifier };
		expect((await token({ ...usual, code: back?.searchParams.get("code") ?? "" })).body.error).toBe("invalid_grant");
	});
});

describe("a token", () => {
	test("opens `/mcp` and nothing else, and may do what was chosen", async () => {
		const reads = await signedIn({ role: "read" });
		expect(reads.tokens.scope).toBe("read");
		const headers = { authorization: `Bearer ${reads.tokens.access_token}` };
		expect((await fetch(`${issuer}/v3/session`, { headers })).status).toBe(401);
		expect((await callTool(reads.tokens.access_token, "listSpaces")).text).not.toContain('"isError":true');
		expect((await callTool(reads.tokens.access_token, "add_memory", { content: "x" })).text).toContain('"isError":true');
		expect((await callTool((await signedIn()).tokens.access_token, "add_memory", { content: "The boat is blue." })).text).not.toContain('"isError":true');
	});

	test("that was bound to a container sees nothing of another", async () => {
		await client.send("POST", "/v4/memories", { containerTag: "other", memories: [{ content: "The vault opens at nine." }] });
		const bound = await signedIn({ container: "mine" });
		expect((await callTool(bound.tokens.access_token, "listMemories", { containerTag: "other" })).text).not.toContain("vault");
		expect((await callTool(bound.tokens.access_token, "whoAmI")).text).toContain("mine");
		const free = await signedIn();
		expect((await callTool(free.tokens.access_token, "listMemories", { containerTag: "other" })).text).toContain("vault");
	});

	test("changes with every refresh; the one before ends all of them", async () => {
		const { clientId, tokens } = await signedIn();
		const next = (await refreshing(clientId, tokens.refresh_token ?? "")).body;
		expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(401);
		expect((await callTool(next.access_token, "whoAmI")).status).toBe(200);
		expect((await refreshing("someone", next.refresh_token ?? "")).body.error).toBe("invalid_grant");
		expect((await refreshing(clientId, tokens.refresh_token ?? "")).body.error).toBe("invalid_grant");
		expect((await callTool(next.access_token, "whoAmI")).status).toBe(401);
		expect((await refreshing(clientId, next.refresh_token ?? "")).body.error).toBe("invalid_grant");
	});

	test("is over after a quarter of an hour, and after thirty days without use for good", async () => {
		const { clientId, tokens } = await signedIn();
		passed(15 * 60_000);
		const over = await callTool(tokens.access_token, "whoAmI");
		expect(over.status).toBe(401);
		expect(over.headers.get("www-authenticate")).toStartWith('Bearer error="invalid_token"');
		passed(31 * 24 * 60 * 60_000);
		expect((await refreshing(clientId, tokens.refresh_token ?? "")).body.error).toBe("invalid_grant");
	});

	test("ends with its key, whether that is turned off or revoked", async () => {
		for (const how of ["toggle", "revoke"]) {
			const made = (await (await client.send("POST", "/v3/auth/agent-key", { name: how, permission: "write" })).json()) as { key: string; id: string };
			const { clientId, tokens } = await signedIn({ key: made.key });
			expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(200);
			if (how === "toggle") await client.send("PUT", `/v3/auth/keys/${made.id}/toggle`, { enabled: false });
			else await client.send("DELETE", `/v3/auth/keys/${made.id}`);
			expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(401);
			expect((await refreshing(clientId, tokens.refresh_token ?? "")).body.error).toBe("invalid_grant");
		}
	});

	test("can be given back; a token that is none is answered alike", async () => {
		const { tokens } = await signedIn();
		expect((await fetch(`${issuer}/oauth/revoke`, form({ token: tokens.access_token }))).status).toBe(200);
		expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(401);
		expect((await fetch(`${issuer}/oauth/revoke`, form({ token: "nothing" }))).status).toBe(200);
	});

	test("is stored as a hash alone, as its code is", async () => {
		const { code, tokens } = await signedIn();
		const organisation = code.split("_")[2] ?? "";
		const stored = await server.parts.storage.organisation(organisation as never).records.list("consent", null, 1_000, now);
		const text = JSON.stringify(stored);
		expect(stored.length).toBeGreaterThan(0);
		for (const secretText of [code, tokens.access_token, tokens.refresh_token ?? ""]) expect(text).not.toContain(secretText.slice(-43));
	});

	test("was given by somebody: the log of administrative acts says to whom", async () => {
		await signedIn({ role: "read", container: "mine" });
		const { events } = (await (await client.send("GET", "/v3/audit?limit=100")).json()) as { events: readonly { type: string; facts: object }[] };
		const last = events.filter(({ type }) => type === "client.allowed").at(-1);
		expect(last?.facts).toMatchObject({ client: "Test agent", origin: "127.0.0.1:33418", role: "read", containerTag: "mine", by: expect.any(String) });
	});

	test("of one kind is not taken for another", async () => {
		const { clientId, code, tokens } = await signedIn();
		expect((await callTool(tokens.refresh_token ?? "", "whoAmI")).status).toBe(401);
		expect((await callTool(code, "whoAmI")).status).toBe(401);
		expect((await refreshing(clientId, tokens.access_token)).body.error).toBe("invalid_grant");
		expect((await callTool(tokens.access_token, "whoAmI")).status).toBe(200);
	});
});

describe("consents", () => {
	interface Listed {
		readonly id: string;
		readonly client: string | null;
		readonly key: { readonly id: string; readonly name: string };
	}
	const listed = async (key: string) => {
		const answer = await server.clientWith(key).send("GET", "/v3/auth/consents");
		expect(answer.status).toBe(200);
		return ((await answer.json()) as { readonly consents: readonly Listed[] }).consents;
	};
	const ended = (key: string, id: string) => server.clientWith(key).send("DELETE", `/v3/auth/consents/${id}`);
	const makeKey = async (path: string, body: object) => (await (await client.send("POST", path, body)).json()) as { readonly key: string; readonly id: string };

	test("are listed for the key they were given with, with what was allowed, and without tokens", async () => {
		const own = await makeKey("/v3/auth/scoped-key", { containerTag: "mine", name: "a person" });
		const { tokens } = await signedIn({ key: own.key, role: "read", container: "mine" });
		passed(60_000);
		const consents = await listed(own.key);
		const day = 24 * 60 * 60_000;
		expect(consents).toEqual([
			{
				id: expect.any(String),
				client: "Test agent",
				origin: "127.0.0.1:33418",
				permission: "read",
				containerTag: "mine",
				key: { id: own.id, name: "a person" },
				createdAt: new Date(now.getTime() - 60_000).toISOString(),
				lastUsedAt: new Date(now.getTime() - 60_000).toISOString(),
				expiresAt: new Date(now.getTime() - 60_000 + 30 * day).toISOString(),
			},
		] as never);
		const text = JSON.stringify(consents);
		for (const secretText of [tokens.access_token, tokens.refresh_token ?? ""]) expect(text).not.toContain(secretText.slice(-43));
	});

	test("that nobody has used yet, and those of a revoked key, are not listed", async () => {
		const own = await makeKey("/v3/auth/agent-key", { name: "short", permission: "write" });
		const { body } = await register();
		await consent(authorizeUrl({ clientId: body.client_id, verifier: secret() }), { key: own.key });
		expect(await listed(own.key)).toEqual([]);
		await signedIn({ key: own.key });
		expect(await listed(own.key)).toHaveLength(1);
		const isThere = async () => (await listed(client.key)).some(({ key }) => key.id === own.id);
		expect(await isThere()).toBe(true);
		await client.send("DELETE", `/v3/auth/keys/${own.id}`);
		expect(await isThere()).toBe(false);
	});

	test("are ended one by one: the tokens of one are refused, those of another are not", async () => {
		const own = await makeKey("/v3/auth/agent-key", { name: "of two clients", permission: "read" });
		const first = await signedIn({ key: own.key, role: "read" });
		const [{ id = "" } = {}] = await listed(own.key);
		const second = await signedIn({ key: own.key, role: "read" });
		expect((await ended(own.key, id)).status).toBe(200);
		expect((await callTool(first.tokens.access_token, "whoAmI")).status).toBe(401);
		expect((await refreshing(first.clientId, first.tokens.refresh_token ?? "")).body.error).toBe("invalid_grant");
		expect((await callTool(second.tokens.access_token, "whoAmI")).status).toBe(200);
		expect(await listed(own.key)).toHaveLength(1);
		const again = await ended(own.key, id);
		expect([again.status, ((await again.json()) as { readonly code: string }).code]).toEqual([404, "CONSENT_MISSING"]);
		const { events } = (await (await client.send("GET", "/v3/audit?limit=1000")).json()) as { events: readonly { type: string; facts: object }[] };
		expect(events.at(-1)).toMatchObject({ type: "client.removed", subject: id, facts: { by: own.id, client: "Test agent", origin: "127.0.0.1:33418" } });
	});

	test("of another key are seen and ended by an admin alone, and never from another organisation", async () => {
		const own = await makeKey("/v3/auth/agent-key", { name: "hers", permission: "write" });
		const other = await makeKey("/v3/auth/agent-key", { name: "his", permission: "write" });
		const boundAdmin = await makeKey("/v3/auth/scoped-key", { containerTag: "mine", name: "bound" });
		await signedIn({ key: own.key });
		const [{ id = "" } = {}] = await listed(own.key);
		const stranger = await server.client();
		for (const key of [other.key, boundAdmin.key, stranger.key]) {
			expect((await listed(key)).map((each) => each.id)).not.toContain(id);
			expect((await ended(key, id)).status).toBe(404);
		}
		expect((await listed(client.key)).map((each) => each.id)).toContain(id);
		expect((await ended(client.key, id)).status).toBe(200);
		expect(await listed(own.key)).toEqual([]);
	});

	test("a token lists nothing", async () => {
		const { tokens } = await signedIn();
		expect((await server.clientWith(tokens.access_token).send("GET", "/v3/auth/consents")).status).toBe(401);
	});
});

test("a key is taken at `/mcp` as before", async () => {
	expect((await callTool(client.key, "whoAmI")).status).toBe(200);
	expect((await callTool("sm_wrong", "whoAmI")).status).toBe(401);
});
