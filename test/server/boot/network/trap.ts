/** Servers on this machine that a guarded fetch is sent to, or must never reach. */

import { afterAll } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";

export interface Trap {
	readonly port: number;
	/** The first bytes of every connection so far. */
	readonly heard: readonly string[];
}

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterAll(() => {
	for (const socket of sockets) socket.destroy();
	for (const server of servers) server.close();
});

/** Answers every request with what `answer` writes; plain TCP, so that it may break every rule of HTTP. */
export async function listen(answer: (socket: Socket, request: string) => void, host = "127.0.0.1", port = 0): Promise<Trap> {
	const heard: string[] = [];
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		socket.on("close", () => sockets.delete(socket));
		const place = heard.push("") - 1;
		socket.once("data", (bytes) => {
			heard[place] = bytes.toString("latin1");
			answer(socket, bytes.toString("latin1"));
		});
	});
	servers.push(server);
	await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
	const bound = server.address();
	if (bound === null || typeof bound === "string") throw new Error("no port");
	return { port: bound.port, heard };
}

export function reply(socket: Socket, status: string, headers: Readonly<Record<string, string>> = {}, body: string | Uint8Array = ""): void {
	const length = Buffer.byteLength(body);
	const lines = Object.entries({ "content-length": String(length), connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.write(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`);
	socket.end(body);
}
