/**
 * The other side of a first sync of many files: a Microsoft in a process of its own, with a library of 10,000 files for each connection, since
 * a connection has no more documents. The files are made when they are asked for.
 */

import { startGraphPeer } from "../test/doubles/graph-peer.ts";
import { createWriter } from "./notes.ts";

export const perDrive = 10_000;
const perFolder = 100;

export function drivesOf(total: number): readonly string[] {
	return Array.from({ length: Math.ceil(total / perDrive) }, (_, i) => `b!library-number-${i}`);
}

export interface Libraries {
	readonly origin: string;
	readonly host: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly stop: () => void;
}

export async function startLibraries(total: number): Promise<Libraries> {
	const { promise, resolve } = Promise.withResolvers<Omit<Libraries, "stop">>();
	const child = Bun.spawn([process.execPath, "--no-install", import.meta.path, String(total)], { stdout: "inherit", stderr: "inherit", ipc: resolve });
	return { ...(await promise), stop: () => child.kill() };
}

/** Half a kilobyte of words, and the number, which makes each file different. */
export function wordsOf(drive: number, file: number): string {
	return `The file of q${drive}z${file}.`;
}

async function serve(total: number): Promise<void> {
	const peer = await startGraphPeer();
	for (const [number, drive] of drivesOf(total).entries()) {
		const writer = createWriter(100 + number);
		const texts = Array.from({ length: perFolder }, () => writer.note().content.slice(0, 500));
		for (let i = 0; i < Math.min(perDrive, total - number * perDrive); i++) {
			if (i % perFolder === 0) peer.put(`folder-${i / perFolder}`, { kind: "folder" }, drive);
			const content = () => `${wordsOf(number, i)} ${texts[i % perFolder]}`;
			peer.put(`file-${i}`, { name: `File ${i}.txt`, parent: `folder-${Math.floor(i / perFolder)}`, content, size: 520 }, drive);
		}
	}
	process.send?.({ origin: peer.origin, host: peer.host, clientId: peer.oauth.clientId, clientSecret: peer.oauth.clientSecret });
}

if (import.meta.main) await serve(Number(process.argv[2]));
