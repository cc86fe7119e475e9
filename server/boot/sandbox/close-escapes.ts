/** Replaces what JavaScript offers for reaching the network, other programs and the parent, before an engine is imported. */

import childProcess from "node:child_process";
import dgram from "node:dgram";
import net from "node:net";

/**
 * A second line of defence, and the only one without the kernel's filter (see `sealSystemCalls`). It stops ordinary code, not a
 * determined attacker: `Bun.fetch` cannot be replaced.
 */
export function closeEscapes(): void {
	for (const name of ["fetch", "WebSocket", "Worker", "BroadcastChannel"]) close(globalThis, name);
	for (const name of [
		"connect",
		"listen",
		"serve",
		"udpSocket",
		"spawn",
		"spawnSync",
		"$",
		"RedisClient",
		"redis",
		"SQL",
		"sql",
		"postgres",
		"S3Client",
		"s3",
	]) {
		close(Bun, name);
	}
	close(net.Socket.prototype, "connect");
	close(net.Server.prototype, "listen");
	close(dgram.Socket.prototype, "bind");
	close(dgram.Socket.prototype, "send");
	for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) close(childProcess, name);
}

function close(holder: object, name: string): void {
	// Not an arrow: a library that merely derives a class from one of these can still be imported.
	const refuse = function refuse() {
		throw new Error(`${name} is closed in the sandbox`);
	};
	Reflect.set(holder, name, refuse);
}
