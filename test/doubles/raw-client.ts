/** Bytes on a socket, for requests that no HTTP client would send: half ones, too long ones, wrong ones. */

import { connect } from "node:net";

export interface RawConnection {
	/** Resolves when the bytes are on their way. */
	readonly write: (bytes: string | Uint8Array) => Promise<void>;
	/** Waits until so many answers have begun; rejects when the patience ends. */
	readonly answers: (count: number) => Promise<readonly RawAnswer[]>;
	readonly isClosed: () => boolean;
	/** Goes away in the middle, as a client whose network fails. */
	readonly cut: () => void;
}

export interface RawAnswer {
	readonly status: number;
	readonly headers: ReadonlyMap<string, string>;
	readonly body: string;
}

const patienceMs = 120_000;

export async function openRaw(address: string): Promise<RawConnection> {
	const { hostname, port } = new URL(address);
	const socket = connect(Number(port), hostname);
	let received = "";
	let isClosed = false;
	socket.on("data", (bytes) => {
		received += bytes.toString("latin1");
	});
	socket.on("error", () => undefined);
	const closed = new Promise<void>((resolve) =>
		socket.on("close", () => {
			isClosed = true;
			resolve();
		}),
	);
	await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
	return {
		write: async (bytes) => {
			if (isClosed || socket.write(bytes)) return;
			await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
		},
		answers: async (count) => {
			const until = Date.now() + patienceMs;
			for (;;) {
				const answers = parse(received);
				if (answers.length >= count) return answers;
				if (Date.now() > until) throw new Error(`${answers.length} answers instead of ${count}: ${received.slice(0, 500)}`);
				await Bun.sleep(5);
			}
		},
		isClosed: () => isClosed,
		cut: () => socket.destroy(),
	};
}

/** Whole answers only; each with a length, or, as Bun's own refusals, without a body. */
function parse(received: string): readonly RawAnswer[] {
	const answers: RawAnswer[] = [];
	for (let rest = received; ; ) {
		const end = rest.indexOf("\r\n\r\n");
		if (end < 0) return answers;
		const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
		const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
		const length = Number(headers.get("content-length") ?? 0);
		const body = rest.slice(end + 4, end + 4 + length);
		if (body.length < length) return answers;
		answers.push({ status: Number(first.split(" ")[1]), headers, body });
		rest = rest.slice(end + 4 + length);
	}
}
