/** Disables the JavaScript APIs for the network, child processes and workers, before an engine is imported. */

import childProcess from "node:child_process";
import dgram from "node:dgram";
import net from "node:net";

/**
 * A second line of defence, and the only one if the kernel's filter (see `sealSystemCalls`) is not available. It stops ordinary
 * code, not a determined attacker: `Bun.fetch` cannot be replaced.
 */
export function disableSystemApis(): void {
	for (const name of ["fetch", "WebSocket", "Worker", "BroadcastChannel"]) disable(globalThis, name);
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
		disable(Bun, name);
	}
	disable(net.Socket.prototype, "connect");
	disable(net.Server.prototype, "listen");
	disable(dgram.Socket.prototype, "bind");
	disable(dgram.Socket.prototype, "send");
	for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) disable(childProcess, name);
}

function disable(holder: object, name: string): void {
	// Not an arrow function, so that libraries that derive a class from one of these can still be imported.
	const refuse = function refuse() {
		throw new Error(`${name} is disabled in the sandbox`);
	};
	Reflect.set(holder, name, refuse);
}
