/** Sign-in over a socket, where networks are known: registrations and wrong keys of one network are limited. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../doubles/free-port.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const patienceMs = 60_000;
const redirectUri = "http://127.0.0.1:1/callback";

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-oauth-test-"));
	const port = String(await freePort());
	server = await startServerProcess(folder, { PORT: port, CAIRN_OAUTH_ADDRESS: `http://127.0.0.1:${port}`, CAIRN_LOG_LEVEL: "error" });
}, patienceMs);
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
}, patienceMs);

const register = () =>
	fetch(`${server.address}/oauth/register`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ redirect_uris: [redirectUri] }),
	});

test(
	"wrong keys on the page are counted, and so is every form, while the server answers others",
	async () => {
		const { client_id } = (await (await register()).json()) as { client_id: string };
		const query = { response_type: "code", client_id, redirect_uri: redirectUri, code_challenge: "a".repeat(43), code_challenge_method: "S256" };
		const page = await fetch(`${server.address}/oauth/authorize?${new URLSearchParams(query)}`);
		const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
		const ticket = /name="ticket" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
		const tryKey = async (key: string) => {
			const headers = { "content-type": "application/x-www-form-urlencoded", cookie };
			const body = new URLSearchParams({ ticket, role: "read", container: "", decision: "allow", key }).toString();
			return (await fetch(`${server.address}/oauth/authorize`, { method: "POST", headers, body, redirect: "manual" })).status;
		};
		const statuses: number[] = [];
		for (let i = 0; i < 25; i++) statuses.push(await tryKey(`sm_wrong_${i}`));
		expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
		expect(statuses.slice(21)).toContain(429);
		expect(await tryKey(server.key ?? "")).toBe(303);

		const registered: number[] = [];
		for (let i = 0; i < 60; i++) registered.push((await register()).status);
		expect(registered).toContain(201);
		expect(registered.at(-1)).toBe(429);
		expect((await fetch(`${server.address}/health`)).status).toBe(200);
	},
	patienceMs,
);
