/** A body makes it a POST: it arrives whole, and no redirect carries it on. */

import { expect, test } from "bun:test";
import { bounds, guard, rejection } from "./test-guard.ts";

test("a body arrives whole, with its length and the caller's headers; a redirect is refused, and told where that is an answer", async () => {
	const arrived: string[] = [];
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			const { pathname } = new URL(request.url);
			arrived.push(`${request.method} ${pathname} ${request.headers.get("content-length")} ${request.headers.get("x-own")} ${await request.text()}`);
			return pathname === "/away" ? new Response(null, { status: 307, headers: { location: "/taken" } }) : new Response("yes", { status: 201 });
		},
	});
	const post = guard({ allow: [`127.0.0.1:${server.port}`] });
	const body = new TextEncoder().encode("grüße");
	const at = (path: string, answers: readonly number[] = []) =>
		post(`http://127.0.0.1:${server.port}${path}`, bounds({ body, answers, headers: { "x-own": "1", "content-length": "3" } }));
	expect((await at("/hook")).status).toBe(201);
	expect(await rejection(at("/away"))).toMatchObject({ code: "ADDRESS_REFUSED" });
	expect((await at("/away", [307])).status).toBe(307);
	expect(arrived).toEqual(["POST /hook 7 1 grüße", "POST /away 7 1 grüße", "POST /away 7 1 grüße"]);
	await server.stop(true);
});
