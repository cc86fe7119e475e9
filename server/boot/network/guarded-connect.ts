/** The only outgoing connections that are not HTTP. They lead to the same addresses as those of the guarded fetch. */

import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { fail } from "../../../core/errors/fail.ts";
import type { ByteConnection, ConnectPlace, GuardedConnect } from "../../../core/plugin/host.ts";
import { addressesOf, type Guard, type GuardOptions, guardOf, networkError, untilAborted } from "./guarded-fetch.ts";
import { connectTimeoutMs, firstReachable, verifiedTls } from "./pinned-request.ts";

/** Public hosts are reached on these ports: IMAP with TLS (RFC 8314). On others a plugin could be talked into speaking to anything. */
const publicPorts = [993];

export function createGuardedConnect(options: GuardOptions): GuardedConnect {
	const guard = guardOf({ ...options, ports: options.ports ?? publicPorts });
	return async (place, { signal: stop, timeoutMs }) => {
		const shown = `${place.isSecure ? "tls" : "tcp"}://${place.hostname.slice(0, 200)}:${place.port}`;
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), timeoutMs);
		const signal = AbortSignal.any([stop, timeout.signal]);
		try {
			signal.throwIfAborted();
			const addresses = await untilAborted(checkedAddresses(place, guard, shown), signal);
			const socket = await firstReachable(addresses, (address) => open(place, address, options.authorities, signal));
			options.log("debug", "connected", { address: shown });
			return asConnection(socket);
		} catch (error) {
			stop.throwIfAborted();
			const failure = timeout.signal.aborted ? fail("ADDRESS_FAILED", shown, `it took longer than ${timeoutMs / 1000} seconds`) : networkError(error, shown);
			options.log("info", "not connected", { address: shown, code: failure.code, why: failure.message });
			throw failure;
		} finally {
			clearTimeout(timer);
		}
	};
}

async function checkedAddresses({ hostname, port, isSecure }: ConnectPlace, guard: Guard, shown: string): Promise<readonly string[]> {
	// As an address of the web, so that `127.1` and `0x7f000001` are seen for what they are.
	const url = URL.parse(`${isSecure ? "https" : "http"}://${hostname}:${port}/`);
	if (url === null || url.pathname !== "/" || url.search !== "" || url.hash !== "") throw fail("ADDRESS_BLOCKED", shown, "it is no host with a port");
	if (!isSecure && !guard.allowed.has(url.host)) throw fail("ADDRESS_BLOCKED", shown, "it is not encrypted");
	return addressesOf(url, guard, shown);
}

function open({ hostname, port, isSecure }: ConnectPlace, address: string, authorities: readonly string[] | undefined, signal: AbortSignal): Promise<Socket> {
	const { promise, resolve, reject } = Promise.withResolvers<Socket>();
	const socket = isSecure ? connectTls({ host: address, port, ...verifiedTls(hostname, authorities) }) : connect({ host: address, port });
	// A protocol of small commands would wait for each of them otherwise.
	socket.setNoDelay(true);
	const give = (error: Error) => socket.destroy(error);
	const stop = () => give(signal.reason as Error);
	const timer = setTimeout(() => give(Object.assign(new Error("no connection"), { code: "ETIMEDOUT" })), connectTimeoutMs);
	signal.addEventListener("abort", stop, { once: true });
	socket.once("connect", () => clearTimeout(timer));
	socket.once(isSecure ? "secureConnect" : "connect", () => resolve(socket));
	// Never removed: an error without a listener would be thrown. Those after the beginning are told by the streams.
	socket.on("error", reject);
	socket.once("close", () => reject(new Error("the connection was closed")));
	return promise.finally(() => {
		clearTimeout(timer);
		signal.removeEventListener("abort", stop);
	});
}

function asConnection(socket: Socket): ByteConnection {
	// The types of Node and of the web name the same classes differently.
	const { readable, writable } = Duplex.toWeb(socket) as unknown as Pick<ByteConnection, "readable" | "writable">;
	return { readable, writable, close: () => socket.destroy() };
}
