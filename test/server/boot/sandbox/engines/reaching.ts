/** An engine that tries every way out, and says which of them let it through. */

import childProcess from "node:child_process";
import { readFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import type { Engine } from "cairn-memory";

const kernelFetch = Bun.fetch;

type Attempt = (port: number) => unknown;

const attempts: Readonly<Record<string, Attempt>> = {
	fetch: (port) => fetch(`http://127.0.0.1:${port}/`),
	"Bun.fetch": (port) => kernelFetch(`http://127.0.0.1:${port}/`),
	"Bun.connect": (port) => Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }),
	"Bun.spawn": () => Bun.spawn(["/bin/true"]).exited,
	child_process: () => childProcess.execFileSync("/bin/true"),
	net: (port) => answered((done, broke) => net.connect(port, "127.0.0.1", () => done(true)).on("error", broke)),
	http: (port) => answered((done, broke) => http.get(`http://127.0.0.1:${port}/`, () => done(true)).on("error", broke)),
	WebSocket: (port) =>
		answered((done, broke) => {
			const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
			socket.onopen = () => done(true);
			socket.onerror = () => broke(new Error("refused"));
		}),
};

const reaching: Engine<number, { readonly open: readonly string[]; readonly environment: readonly string[]; readonly canReadItself: boolean }> = async (
	port,
) => {
	const open: string[] = [];
	for (const [name, attempt] of Object.entries(attempts)) {
		try {
			await attempt(port);
			open.push(name);
		} catch {
			// Closed, as it should be.
		}
	}
	return { open, environment: Object.keys(process.env), canReadItself: (await readFile(new URL(import.meta.url))).length > 0 };
};

function answered(attempt: (done: (value: boolean) => void, broke: (error: Error) => void) => unknown): Promise<boolean> {
	return new Promise((resolve, reject) => attempt(resolve, reject));
}

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default reaching;
