/** Too few files and connections: one sentence at the start, and an answer that says "later" when they run out. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServiceError } from "../../core/errors/fail.ts";
import { openFilesNeeded } from "../../server/boot/open-files.ts";
import { openRaw, type RawConnection } from "../doubles/raw-client.ts";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "key-of-the-operator";
/** A shell that narrows itself, and then is the server. */
const narrowed = (files: number) => ["sh", "-c", `ulimit -n ${files} && exec "$0" "$@"`];

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-open-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a limit that is too low ends the start with a sentence that says how much is needed", async () => {
	const said = String(await startServerProcess(folder, {}, [], narrowed(64)).catch((error: unknown) => error));
	expect(said).toContain(`lets this process open 64 files and connections at the same time, and the server needs ${openFilesNeeded}`);
	expect(said).toContain("(OPEN_FILES_LIMITED)");
}, 60_000);

test("an error of the system that says so is no fault of the server", () => {
	for (const code of ["EMFILE", "ENFILE"]) {
		const thrown = Object.assign(new Error(`${code}: too many open files`), { code });
		expect(asServiceError(thrown)).toMatchObject({ code: "OPEN_FILES_EXHAUSTED", kind: "unavailable", cause: thrown });
	}
	expect(asServiceError(Object.assign(new Error("ENOENT"), { code: "ENOENT" })).code).toBe("INTERNAL");
});

// Counted in /proc.
test.skipIf(process.platform !== "linux")(
	"a server that holds as many as it may answers 503, and works again when clients go",
	async () => {
		const server = await startServerProcess(folder, { CAIRN_API_KEY: key }, [], narrowed(openFilesNeeded));
		const held = async () => (await readdir(`/proc/${server.pid}/fd`)).length;
		const upload = uploadOf(server.address);
		const asking = await openRaw(server.address);
		await asking.write(upload);
		expect((await asking.answers(1))[0]?.status).toBe(200);

		const idle: RawConnection[] = [];
		while (idle.length < openFilesNeeded) {
			const connection = await openRaw(server.address);
			// A client that says nothing is not let in yet.
			await connection.write("GET / HTTP/1.1\r\n");
			idle.push(connection);
		}
		await until(async () => (await held()) >= openFilesNeeded);
		await asking.write(upload);
		const refused = (await asking.answers(2))[1];
		expect(refused?.status, refused?.body).toBe(503);
		expect(JSON.parse(refused?.body ?? "")).toMatchObject({ code: "OPEN_FILES_EXHAUSTED" });
		expect(refused?.headers.get("retry-after")).toBe("1");

		// The first search begins a thread, for which there is no file.
		const search = searchOf(server.address);
		await asking.write(search);
		const unsearched = (await asking.answers(3))[2];
		expect(unsearched?.status, unsearched?.body).toBe(503);

		for (const connection of idle) connection.cut();
		await until(async () => (await held()) <= openFilesNeeded / 2);
		await asking.write(upload);
		expect((await asking.answers(4))[3]?.status).toBe(200);
		await asking.write(search);
		const searched = (await asking.answers(5))[4];
		expect(searched?.status, searched?.body).toBe(200);
		asking.cut();
		await server.kill("SIGTERM");
	},
	120_000,
);

function uploadOf(address: string): string {
	const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nOtto lives in Ulm.\r\n--b--\r\n';
	const head = ["POST /v3/documents/file HTTP/1.1", `Host: ${new URL(address).host}`, `X-Api-Key: ${key}`, "Content-Type: multipart/form-data; boundary=b"];
	return `${head.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function searchOf(address: string): string {
	const body = JSON.stringify({ q: "Who lives in Ulm?" });
	const head = ["POST /v3/search HTTP/1.1", `Host: ${new URL(address).host}`, `X-Api-Key: ${key}`, "Content-Type: application/json"];
	return `${head.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
