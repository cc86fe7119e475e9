/** The ground of every peer: a server on this machine with requests that are remembered, answers that fail, and silence. */

import { createServer, type IncomingMessage } from "node:http";

export interface PeerReply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array;
}

export interface PeerRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: string;
}

export interface LocalPeer {
	readonly host: string;
	readonly origin: string;
	/** Method and path, as they came. */
	readonly asked: string[];
	/** Answers instead of the service where it returns a reply. */
	trouble: ((request: PeerRequest, count: number) => PeerReply | null) | null;
	isStalled: boolean;
	readonly close: () => void;
}

export async function startLocalPeer(answer: (request: PeerRequest, origin: string) => PeerReply): Promise<LocalPeer> {
	const server = createServer(async (incoming, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of incoming) pieces.push(piece as Buffer);
		const request = { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers, body: Buffer.concat(pieces).toString() };
		peer.asked.push(`${request.method} ${request.path}`);
		if (peer.isStalled) return;
		const { status, headers, body } = peer.trouble?.(request, peer.asked.length) ?? answer(request, peer.origin);
		response.writeHead(status, headers);
		response.end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	const peer: LocalPeer = { host, origin: `http://${host}`, asked: [], trouble: null, isStalled: false, close };
	return peer;
}

/** Every 41st answer is 429 with a short pause, every 197th with a long one, every 59th is 500; what `isBroken` says never answers anything but 500. */
export function faults(isBroken: (path: string) => boolean): (request: Pick<PeerRequest, "path">, count: number) => PeerReply | null {
	return ({ path }, count) => {
		const pause = count % 197 === 0 ? "600" : count % 41 === 0 ? "1" : null;
		if (pause !== null) return { status: 429, headers: { "retry-after": pause }, body: "slower, please" };
		return count % 59 === 0 || isBroken(path) ? { status: 500, body: "broken" } : null;
	};
}
