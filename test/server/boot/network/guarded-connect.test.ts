/** Connections that are not HTTP: nothing private is reached, by no trick, and no password goes in the clear. */

import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { Socket } from "node:net";
import { createServer } from "node:tls";
import type { Host } from "cairn-memory";
import { createGuardedConnect } from "../../../../server/boot/network/guarded-connect.ts";
import type { GuardOptions } from "../../../../server/boot/network/guarded-fetch.ts";
import { privateHosts } from "./private-hosts.ts";
import { testCertificate, testKey } from "./test-certificate.ts";
import { rejection } from "./test-guard.ts";
import { listen } from "./trap.ts";

const connect = spyOn(Socket.prototype, "connect");
afterEach(() => {
	connect.mockClear();
});
afterAll(() => connect.mockRestore());

type GuardedConnect = Host["connect"];

const options = { signal: new AbortController().signal, timeoutMs: 5_000 };
const guard = (more: Partial<GuardOptions> = {}): GuardedConnect =>
	createGuardedConnect({ allow: [], log: () => undefined, resolve: async () => ["127.0.0.1"], ...more });
const place = (hostname: string, port: number, isSecure = true) => ({ hostname, port, isSecure });

/** What comes until the other side ends. */
async function said(connection: Awaited<ReturnType<GuardedConnect>>, words: string): Promise<string> {
	const writer = connection.writable.getWriter();
	await writer.write(new TextEncoder().encode(words));
	const pieces: Uint8Array[] = [];
	for await (const piece of connection.readable) pieces.push(piece);
	return Buffer.concat(pieces).toString();
}

test("no packet is sent to any host that leads inside", async () => {
	const trap = await listen((socket) => socket.end("secret"));
	const resolve = async (host: string) => (host.includes("localhost") ? ["127.0.0.1", "::1"] : ["10.0.0.1"]);
	for (const isSecure of [true, false]) {
		const closed = guard({ ports: [993, trap.port], resolve });
		for (const host of privateHosts) {
			for (const port of [993, trap.port]) {
				expect([host, await rejection(closed(place(host, port, isSecure), options))]).toMatchObject([host, { code: "ADDRESS_BLOCKED" }]);
			}
		}
	}
	for (const answers of [["93.184.215.14", "10.0.0.1"], ["2606:4700::1111", "::1"], ["not an address"]])
		expect(await rejection(guard({ resolve: async () => answers })(place("two.test", 993), options))).toMatchObject({ code: "ADDRESS_BLOCKED" });
	expect(connect).not.toHaveBeenCalled();
	expect(trap.heard).toEqual([]);
});

test("a public host is reached on the port of IMAP alone, with TLS alone, and by the number that was checked", async () => {
	const toPublic = guard({ resolve: async () => ["93.184.215.14", "2606:4700::1111"] });
	for (const port of [25, 143, 6379, 443, 0, 99_999, 1.5])
		expect([port, await rejection(toPublic(place("mail.test", port), options))]).toMatchObject([port, { code: "ADDRESS_BLOCKED" }]);
	expect(await rejection(toPublic(place("mail.test", 993, false), options))).toMatchObject({
		code: "ADDRESS_BLOCKED",
		message: expect.stringContaining("not encrypted"),
	});
	for (const hostname of ["user:hunter2@mail.test", "mail.test/path", "mail.test?query", "mail.test#part", "", "a b"])
		expect([hostname, await rejection(toPublic(place(hostname, 993), options))]).toMatchObject([hostname, { code: "ADDRESS_BLOCKED" }]);
	expect(connect).not.toHaveBeenCalled();
	const holdBack = function (this: Socket) {
		queueMicrotask(() => this.destroy(Object.assign(new Error("held back by the test"), { code: "ENETUNREACH" })));
		return this;
	};
	connect.mockImplementationOnce(holdBack).mockImplementationOnce(holdBack);
	expect(await rejection(toPublic(place("mail.test", 993), options))).toMatchObject({
		code: "ADDRESS_FAILED",
		message: expect.stringContaining("tls://mail.test:993"),
	});
	const reached = connect.mock.calls.map((call) => JSON.stringify(call));
	expect([reached.length, reached[0]?.includes("93.184.215.14"), reached[1]?.includes("2606:4700::1111")]).toEqual([2, true, true]);
});

test("a host that the operator allows may be private and without TLS, on its port alone", async () => {
	const trap = await listen((socket, words) => socket.end(`heard ${words}`));
	const open = guard({ allow: [`mail.test:${trap.port}`] });
	expect(await said(await open(place("MAIL.test", trap.port, false), options), "hello")).toBe("heard hello");
	expect(await rejection(open(place("other.test", trap.port, false), options))).toMatchObject({ code: "ADDRESS_BLOCKED" });
	expect(await rejection(open(place("mail.test", trap.port + 1, false), options))).toMatchObject({ code: "ADDRESS_BLOCKED" });
});

test("the certificate is checked against the name, whatever the environment says", async () => {
	const server = createServer({ key: testKey, cert: testCertificate }, (socket) => socket.once("data", (bytes) => socket.end(`heard ${bytes}`)));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" ? (address?.port ?? 0) : 0;
	const allow = [`good.test:${port}`, `evil.test:${port}`];
	try {
		const trusting = guard({ allow, authorities: [testCertificate] });
		expect(await said(await trusting(place("good.test", port), options), "hello")).toBe("heard hello");
		const refused = { code: "ADDRESS_FAILED", message: expect.stringContaining("certificate") };
		expect(await rejection(trusting(place("evil.test", port), options))).toMatchObject(refused);
		process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
		expect(await rejection(guard({ allow })(place("good.test", port), options))).toMatchObject(refused);
	} finally {
		delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
		server.close();
	}
});

test("whoever takes long is given up, and so is an attempt that is not wanted any more", async () => {
	const trap = await listen(() => undefined);
	const open = guard({ allow: [`mail.test:${trap.port}`] });
	expect(await rejection(open(place("mail.test", trap.port), { ...options, timeoutMs: 50 }))).toMatchObject({
		code: "ADDRESS_FAILED",
		message: expect.stringContaining("longer than"),
	});
	const stop = new AbortController();
	const reason = new Error("stopped by the test");
	const stopped = rejection(open(place("mail.test", trap.port), { ...options, signal: stop.signal }));
	stop.abort(reason);
	expect(await stopped).toBe(reason);
	const slow = guard({ resolve: () => new Promise(() => undefined) });
	expect(await rejection(slow(place("mail.test", 993), { ...options, timeoutMs: 20 }))).toMatchObject({ code: "ADDRESS_FAILED" });
});
