/** The listening server against clients that send too much, too slowly, too often, the wrong thing, or go away. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRaw } from "../doubles/raw-client.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "key-of-the-limits-test";
const auth = { authorization: `Bearer ${key}` };
const head = `Host: localhost\r\nx-api-key: ${key}\r\n`;
const megabyte = Buffer.alloc(1024 * 1024, "a ");
const chunk = Buffer.concat([Buffer.from("100000\r\n"), megabyte, Buffer.from("\r\n")]);
const partHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const formHead = `POST /v3/documents/file HTTP/1.1\r\n${head}Content-Type: multipart/form-data; boundary=b\r\n`;

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-limits-"));
	server = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
});
afterAll(async () => {
	expect(await server.kill("SIGTERM")).toBe(0);
	await rm(folder, { recursive: true, force: true });
});

const ask = (method: string, path: string, body?: unknown) =>
	fetch(server.address + path, { method, headers: auth, ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }) });
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, never>;
const raw = async (...pieces: readonly (string | Uint8Array)[]) => {
	const connection = await openRaw(server.address);
	for (const piece of pieces) await connection.write(piece);
	return connection;
};
const first = async (...pieces: readonly (string | Uint8Array)[]) => {
	const connection = await raw(...pieces);
	const [answer] = await connection.answers(1);
	connection.cut();
	return { status: answer?.status, code: answer?.body === "" ? null : (JSON.parse(answer?.body ?? "{}") as { code?: string }).code };
};
/** Files of uploads, half-written ones too; folders are no trace of anything. */
const blobPaths = () =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.parentPath.includes("blobs") && entry.name !== "owner")
		.map(({ parentPath, name }) => join(parentPath, name));
const jobs = async () => {
	const { queue } = (await (await fetch(`${server.address}/ready`)).json()) as { readonly queue: { readonly waiting: number; readonly leased: number } };
	return queue.waiting + queue.leased;
};
const isLinux = process.platform === "linux";
const openFiles = () => (!isLinux ? 0 : readdirSync(`/proc/${server.pid}/fd`).length);
const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
const eventually = async (holds: () => boolean) => {
	return until(holds);
};

test("a body over the limit is refused before it is read, by its length and without one", async () => {
	for (const length of [33_554_433, 400_000_000, 9_000_000_000_000_000]) {
		expect(await first(`POST /v3/documents HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n{`)).toEqual({ status: 413, code: "BODY_TOO_LARGE" });
	}
	const streamed = await raw(`POST /v3/search HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array<Uint8Array>(33).fill(chunk));
	expect((await streamed.answers(1))[0]).toMatchObject({ status: 413 });
	streamed.cut();
	for (const wrong of ["Content-Length: -1", "Content-Length: x", "Content-Length: 5\r\nTransfer-Encoding: chunked"])
		expect(await first(`POST /v3/documents HTTP/1.1\r\n${head}${wrong}\r\n\r\n`)).toEqual({ status: 400, code: null });
});

test("a file over the limit is a 413 and leaves nothing behind, by its length and without one", async () => {
	expect(await first(`${formHead}Content-Length: 60000000\r\n\r\n${partHead}`)).toEqual({ status: 413, code: "FILE_TOO_LARGE" });
	expect(
		await first(`${formHead}Transfer-Encoding: chunked\r\n\r\n`, `${partHead.length.toString(16)}\r\n${partHead}\r\n`, ...Array<Uint8Array>(51).fill(chunk)),
	).toEqual({ status: 413, code: "FILE_TOO_LARGE" });
	// Parts that are not the file count as well.
	const other = '--b\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n';
	expect(
		await first(`${formHead}Transfer-Encoding: chunked\r\n\r\n`, `${other.length.toString(16)}\r\n${other}\r\n`, ...Array<Uint8Array>(56).fill(chunk)),
	).toEqual({
		status: 413,
		code: "FILE_TOO_LARGE",
	});
	expect(await eventually(() => blobPaths().length === 0)).toBe(true);
}, 120_000);

test("uploads whose client goes away leave no file, no document and no open handle, and the server lives", async () => {
	const before = openFiles();
	for (const framing of ["Content-Length: 30000000", "Transfer-Encoding: chunked"]) {
		for (let i = 0; i < 10; i++) {
			const piece = framing.startsWith("C") ? `${partHead}${"x".repeat(20_000 * i)}` : `${partHead.length.toString(16)}\r\n${partHead}\r\n5\r\nhello\r\n`;
			const connection = await raw(`${formHead}${framing}\r\n\r\n${piece}`);
			await Bun.sleep(10);
			connection.cut();
		}
	}
	expect(await eventually(() => blobPaths().length === 0 && openFiles() <= before)).toBe(true);
	// Ended properly, but in the middle of the form.
	const short = `${formHead}Transfer-Encoding: chunked\r\n\r\n${partHead.length.toString(16)}\r\n${partHead}\r\n0\r\n\r\n`;
	expect(await first(short)).toEqual({ status: 400, code: "FORM_MALFORMED" });
	expect(await eventually(() => blobPaths().length === 0)).toBe(true);
	expect(await json(ask("POST", "/v3/documents/list", {}))).toMatchObject({ memories: [] });
	expect((await fetch(`${server.address}/ready`)).status).toBe(200);
}, 120_000);

test("slow clients do not keep others waiting", async () => {
	const slow = await Promise.all(
		Array.from({ length: 50 }, (_, i) => raw(`POST /v3/documents HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n${i % 2 ? '{"content' : ""}`)),
	);
	slow.push(...(await Promise.all(Array.from({ length: 50 }, () => raw("GET /v3/doc")))));
	expect((await ask("GET", "/v3/search?q=anything")).status).toBe(200);
	for (const connection of slow) connection.cut();
});

test("an address or headers beyond 16 kB are refused, and the server lives", async () => {
	expect(await first(`GET /v3/search?q=${"a".repeat(20_000)} HTTP/1.1\r\n${head}\r\n`)).toMatchObject({ status: 431 });
	expect(await first(`GET / HTTP/1.1\r\n${head}${Array.from({ length: 1_000 }, (_, i) => `x-h-${i}: ${i}\r\n`).join("")}\r\n`)).toMatchObject({ status: 431 });
	expect(await first(`GET /v3/search?q=${"a".repeat(9_000)} HTTP/1.1\r\n${head}\r\n`)).toMatchObject({ status: 200 });
});

test("a host that is none is a 400, whatever the route, and one that is not ours a 403", async () => {
	for (const host of ["", "a b", "][", "x:99999", "evil.example/v3?", "%zz", "[::1"]) {
		for (const path of ["/health", "/v3/search?q=x", "/nowhere"]) {
			expect(await first(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nx-api-key: ${key}\r\n\r\n`), host).toEqual({ status: 400, code: "INPUT_INVALID" });
		}
	}
	expect(await first(`GET /v3/search?q=x HTTP/1.1\r\nHost: evil.example\r\nx-api-key: ${key}\r\n\r\n`)).toEqual({ status: 403, code: "HOST_FORBIDDEN" });
	expect(await first("GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatchObject({ status: 200 });
	expect(await first("GET /health HTTP/1.1\r\n\r\n")).toEqual({ status: 400, code: null });
});

test("HEAD is GET without its body, OPTIONS names the methods and opens nothing to other origins", async () => {
	for (const path of ["/health", "/v3/search?q=x", "/v3/documents/processing"]) {
		const answer = await ask("HEAD", path);
		expect([answer.status, await answer.text()], path).toEqual([200, ""]);
	}
	const preflight = await fetch(`${server.address}/v3/search`, {
		method: "OPTIONS",
		headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
	});
	expect([preflight.status, preflight.headers.get("allow"), preflight.headers.get("access-control-allow-origin")]).toEqual([405, "GET, HEAD, POST", null]);
});

test("a connection stays good after every kind of error", async () => {
	const bad = [
		`POST /v3/documents HTTP/1.1\r\n${head}Content-Length: 5\r\n\r\n{oops`,
		"POST /v3/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
		`POST /nowhere HTTP/1.1\r\n${head}Content-Length: 5\r\n\r\nhello`,
		`GET /v3/documents/nobody HTTP/1.1\r\n${head}Content-Length: 5\r\n\r\nhello`,
		`${formHead}Content-Length: 5\r\n\r\nhello`,
		`${formHead.replace("multipart/form-data; boundary=b", "text/plain")}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
	];
	const connection = await openRaw(server.address);
	let count = 0;
	const statuses: (number | undefined)[] = [];
	for (const request of bad) {
		await connection.write(request);
		statuses.push((await connection.answers(++count))[count - 1]?.status);
		await connection.write(`GET /health HTTP/1.1\r\n${head}\r\n`);
		expect((await connection.answers(++count))[count - 1]).toMatchObject({ status: 200, body: expect.stringContaining('"ok"') });
	}
	connection.cut();
	expect(statuses).toEqual([400, 401, 404, 404, 400, 400]);
});

test("a change that races a deletion never brings the document back", async () => {
	for (let round = 0; round < 25; round++) {
		const name = `gone-${round}`;
		await ask("POST", "/v3/documents", { content: `Revenant ${round} walks.`, customId: name });
		const change = () => ask("PATCH", `/v3/documents/${name}`, { content: `Revenant ${round} walks again ${Math.random()}.` });
		const [before, removed, after] = await Promise.all([change(), ask("DELETE", `/v3/documents/${name}`), change()]);
		expect(removed.status).toBe(204);
		for (const { status } of [before, after]) expect([200, 404]).toContain(status);
		expect((await ask("GET", `/v3/documents/${name}`)).status).toBe(404);
	}
	// Whatever the workers still had in hand has ended.
	await until(async () => (await jobs()) === 0);
	for (const path of ["/v3/search", "/v4/search"])
		expect(await (await ask("POST", path, { q: "Revenant walks", searchMode: "hybrid", threshold: 0 })).text()).not.toContain("Revenant");
}, 120_000);

test.skipIf(!isLinux)(
	"50 MB go to the disk and not into memory",
	async () => {
		const idle = residentMb();
		let peak = idle;
		const watching = setInterval(() => {
			peak = Math.max(peak, residentMb());
		}, 5);
		const tail = "\r\n--b--\r\n";
		const length = partHead.length + 49 * megabyte.length + tail.length;
		const connection = await raw(`${formHead}Content-Length: ${length}\r\n\r\n${partHead}`, ...Array<Uint8Array>(49).fill(megabyte));
		const received = () => blobPaths().reduce((sum, path) => sum + statSync(path).size, 0);
		await until(() => received() >= 48 * megabyte.length);
		// The end comes late, so that nothing but receiving has been done until here.
		clearInterval(watching);
		await connection.write(tail);
		expect((await connection.answers(1))[0]).toMatchObject({ status: 200 });
		connection.cut();
		console.log(`idle ${Math.round(idle)} MB, while receiving at most ${Math.round(peak)} MB`);
		expect(peak - idle).toBeLessThan(60);
	},
	30_000,
);
