/** The one way out: nothing endless is read, nothing half is taken for whole, nothing secret is told. */

import { afterEach, expect, test } from "bun:test";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import type { FetchOptions } from "cairn-memory";
import { bounds, guard, logged, rejection, textOf } from "./test-guard.ts";
import { listen, reply } from "./trap.ts";

afterEach(() => {
	logged.length = 0;
});

async function serve(answer: Parameters<typeof listen>[0], options: Partial<FetchOptions> = {}) {
	const server = await listen(answer);
	return { server, run: guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/path/report.pdf?token=hunter2`, bounds(options)) };
}

const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const packers = { gzip: gzipSync, deflate: deflateSync, br: (bytes: Uint8Array) => brotliCompressSync(bytes, quickly) };
for (const [encoding, pack] of Object.entries(packers)) {
	test(`${encoding} is unpacked`, async () => {
		const { run } = await serve((socket) => reply(socket, "200 OK", { "content-encoding": encoding }, pack(Buffer.from("words"))));
		expect(textOf(await run)).toBe("words");
	});

	test(`a bomb in ${encoding} is cut at the limit`, async () => {
		const bomb = pack(Buffer.alloc(50 << 20));
		const before = process.memoryUsage.rss();
		const { run } = await serve((socket) => reply(socket, "200 OK", { "content-encoding": encoding }, bomb));
		expect(await rejection(run)).toMatchObject({ code: "FILE_TOO_LARGE", message: "the file is larger than 1000000 bytes" });
		expect(process.memoryUsage.rss() - before).toBeLessThan(30 << 20);
	});
}

test("packing that is broken, cut off or unheard of fails", async () => {
	const packed = gzipSync(Buffer.from("words".repeat(1_000)));
	const broken = [
		["gzip", Buffer.from("not packed at all")],
		["gzip", packed.subarray(0, packed.length - 10)],
		["zip, gzip", packed],
	] as const;
	for (const [encoding, body] of broken) {
		const { run } = await serve((socket) => reply(socket, "200 OK", { "content-encoding": encoding }, body));
		expect(await rejection(run)).toMatchObject({ code: "ADDRESS_FAILED" });
	}
});

test("a length over the limit is refused before the body is read", async () => {
	const { run } = await serve((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n"));
	expect(await rejection(run)).toMatchObject({ code: "FILE_TOO_LARGE" });
});

test("an endless body is cut at the limit", async () => {
	const { run, server } = await serve((socket) => {
		socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
		const pour = () => {
			while (socket.writable && socket.write(Buffer.alloc(65_536, 120)));
		};
		socket.on("drain", pour);
		pour();
	});
	expect(await rejection(run)).toMatchObject({ code: "FILE_TOO_LARGE" });
	expect(server.heard).toHaveLength(1);
});

test("a body that drips is cut when the time is up", async () => {
	const { run } = await serve(
		(socket) => {
			socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
			const drip = setInterval(() => socket.write("x"), 20);
			socket.on("close", () => clearInterval(drip));
		},
		{ timeoutMs: 300 },
	);
	expect(await rejection(run)).toMatchObject({ code: "ADDRESS_FAILED", message: expect.stringContaining("0.3 seconds"), mayPass: true });
});

test("headers that never come are cut when the time is up", async () => {
	const { run } = await serve(() => {}, { timeoutMs: 200 });
	expect(await rejection(run)).toMatchObject({ code: "ADDRESS_FAILED" });
});

test("a resolver that never answers is cut when the time is up", async () => {
	expect(await rejection(guard({ resolve: () => new Promise(() => {}) })("http://x.test/", bounds({ timeoutMs: 100 })))).toMatchObject({
		code: "ADDRESS_FAILED",
	});
});

test("a body shorter than its length is not taken for whole", async () => {
	const { run } = await serve((socket) => reply(socket, "200 OK", { "content-length": "500" }, "short"));
	expect(await rejection(run)).toMatchObject({ code: "ADDRESS_FAILED" });
});

test("chunks that stop before the last are not taken for whole", async () => {
	for (const headers of ["", "content-encoding: gzip\r\n"]) {
		const body = headers === "" ? Buffer.from("words") : gzipSync("words");
		const { run } = await serve((socket) => {
			socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${headers}\r\n${body.byteLength.toString(16)}\r\n`);
			socket.write(body);
			socket.end("\r\n");
		});
		expect(await rejection(run)).toMatchObject({ code: "ADDRESS_FAILED" });
	}
});

test("a body of nothing but packed emptiness is cut at the limit", async () => {
	const nothing = gzipSync("");
	const { run } = await serve((socket) => {
		socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n");
		socket.end(Buffer.concat(Array(100_000).fill(nothing)));
	});
	expect(await rejection(run)).toMatchObject({ code: "FILE_TOO_LARGE" });
});

test("an abort ends it at once, with the signal's reason", async () => {
	const ending = new AbortController();
	const reason = new Error("enough");
	const { run } = await serve(() => ending.abort(reason), { signal: ending.signal });
	expect(await rejection(run)).toBe(reason);
	expect(await rejection(guard()("http://x.test/", bounds({ signal: AbortSignal.abort(reason) })))).toBe(reason);
});

test("statuses: what may pass is tried again, what will not is not", async () => {
	for (const [status, code] of [
		["404 Not Found", "ADDRESS_REFUSED"],
		["401 Unauthorized", "ADDRESS_REFUSED"],
		["304 Not Modified", "ADDRESS_REFUSED"],
		["429 Too Many", "ADDRESS_FAILED"],
		["500 Broken", "ADDRESS_FAILED"],
		["503 Busy", "ADDRESS_FAILED"],
	] as const) {
		const { run } = await serve((socket) => reply(socket, status));
		expect([status, await rejection(run)]).toMatchObject([status, { code, message: expect.stringContaining(status.slice(0, 3)) }]);
	}
});

test("a busy server is left alone as long as it says, within reason", async () => {
	const wanted = async (retryAfter: string) => {
		const { run } = await serve((socket) => reply(socket, "429 Too Many", { "retry-after": retryAfter }));
		return await rejection(run);
	};
	expect(await wanted("120")).toMatchObject({ code: "ADDRESS_FAILED", earliestRetryMs: 120_000, retryAfterMs: null });
	expect(await wanted("99999999")).toMatchObject({ earliestRetryMs: 3_600_000 });
	expect(await wanted(new Date(Date.now() + 86_400_000).toUTCString())).toMatchObject({ earliestRetryMs: 3_600_000 });
	expect(await wanted("Thu, 01 Jan 1970 00:00:00 GMT")).toMatchObject({ earliestRetryMs: 0 });
	expect(await wanted("soon")).toMatchObject({ earliestRetryMs: 0 });
});

test("a port where nobody listens and an answer that is no HTTP fail, and may pass", async () => {
	const free = await listen((socket) => socket.end("220 mail ready\r\n"));
	const fetch = guard({ allow: [`x.test:${free.port}`, "x.test:1"] });
	expect(await rejection(fetch(`http://x.test:${free.port}/`, bounds()))).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
	expect(await rejection(fetch("http://x.test:1/", bounds()))).toMatchObject({ code: "ADDRESS_FAILED", message: expect.stringContaining("does not respond") });
});

test("type, charset and name are told; who asks is told as agreed", async () => {
	const { run, server } = await serve((socket) => reply(socket, "200 OK", { "content-type": "Text/HTML; Charset=ISO-8859-2" }, "x"), { accept: "text/html" });
	expect(await run).toMatchObject({ claimedMediaType: "text/html", charset: "iso-8859-2", fileName: "report.pdf" });
	expect(server.heard[0]).toMatch(/^GET \/path\/report\.pdf\?token=hunter2 HTTP\/1\.1\r\n/);
	expect(server.heard[0]).toMatch(/user-agent: Cairn\/\d+\.\d+\.\d+ \(\+document fetch\)\r\n/i);
	expect(server.heard[0]).toMatch(/accept: text\/html\r\n/i);
	expect(server.heard[0]).toContain(`host: x.test:${server.port}`);
});

test("secrets in the address reach neither the log nor the message", async () => {
	await (await serve((socket) => reply(socket, "200 OK"))).run;
	const error = await rejection((await serve((socket) => reply(socket, "404 Gone"))).run);
	expect(logged).toHaveLength(2);
	expect(`${logged.join()} ${error.message}`).not.toContain("hunter2");
	expect(error.message).toContain("/path/report.pdf?…");
});
