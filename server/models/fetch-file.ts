/** Downloads one file of a model: resumes after a broken connection, and accepts the file only if its hash is right. */

import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname } from "node:path";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { World } from "../../core/ports/world.ts";
import type { GuardedDownload } from "../boot/network/guarded-fetch.ts";
import { type HubFile, hubFailure } from "./hub.ts";
import type { LockedFile } from "./lock-file.ts";

export interface FileFetch {
	readonly name: string;
	readonly file: HubFile;
	readonly url: string;
	/** The target path; an incomplete file has the suffix `.part`. */
	readonly target: string;
	readonly hub: { readonly baseUrl: string };
	readonly download: GuardedDownload;
	readonly world: Pick<World, "sleep" | "random">;
	readonly signal: AbortSignal;
	/** Called with the number of bytes received so far. */
	readonly progress: (bytes: number) => void;
}

/** Consecutive attempts without any new bytes after which the download fails. */
const triesWithoutProgressMax = 5;
const pauseMs = 1_000;
const pauseMsMax = 30_000;
/** A connection without data for this long is closed. */
const silenceMsMax = 60_000;

/** @throws ServiceError `MODEL_PULL_FAILED` */
export async function fetchFile(call: FileFetch): Promise<LockedFile> {
	const { name, file, target, signal, world } = call;
	const part = `${target}.part`;
	await mkdir(dirname(target), { recursive: true });
	if (existsSync(target)) await rename(target, part);
	for (let triesWithoutProgress = 0; (await sizeOf(part)) < file.bytes; ) {
		const sizeBefore = await sizeOf(part);
		try {
			await fetchMore(call, part, sizeBefore);
		} catch (thrown) {
			if (signal.aborted) throw signal.reason;
			const failure = hubFailure(thrown, name, call.hub);
			triesWithoutProgress = (await sizeOf(part)) > sizeBefore ? 0 : triesWithoutProgress + 1;
			if (triesWithoutProgress >= triesWithoutProgressMax || !isTransient(thrown)) throw failure;
			await world.sleep(Math.min(pauseMsMax, pauseMs * 2 ** triesWithoutProgress), signal);
		}
	}
	const hashes = await hashesOf(part, file.bytes);
	const isHashEqual = file.sha256 === null ? hashes.git === file.gitHash : hashes.sha256 === file.sha256;
	if (hashes.bytes !== file.bytes || !isHashEqual) {
		// A corrupt file cannot be resumed.
		await rm(part, { force: true });
		throw fail("MODEL_PULL_FAILED", name, `${file.path} is damaged: its checksum differs from the hub's`);
	}
	await rename(part, target);
	return { path: file.path, bytes: file.bytes, sha256: hashes.sha256 };
}

/** Whether the error is transient. */
function isTransient(thrown: unknown): boolean {
	return !(thrown instanceof ServiceError) || thrown.mayPass;
}

async function fetchMore({ download, url, file, name, signal, progress }: FileFetch, part: string, firstByte: number): Promise<void> {
	const silence = new AbortController();
	const stopSignal = AbortSignal.any([signal, silence.signal]);
	const onSilence = () => silence.abort(new Error(`no data was received for ${silenceMsMax / 1_000} seconds`));
	let timer = setTimeout(onSilence, silenceMsMax);
	try {
		await download(url, { signal: stopSignal, from: firstByte }, async (response) => {
			const start = responseOffset(response, firstByte);
			await using handle = await open(part, start === 0 ? "w" : "r+");
			let offset = start;
			for await (const bytes of response as AsyncIterable<Uint8Array>) {
				clearTimeout(timer);
				timer = setTimeout(onSilence, silenceMsMax);
				// A longer file than declared could fill the disk.
				if (offset + bytes.byteLength > file.bytes) throw fail("MODEL_PULL_FAILED", name, `${file.path} is longer than the hub says`);
				await handle.write(bytes, 0, bytes.byteLength, offset);
				offset += bytes.byteLength;
				progress(offset);
			}
			await handle.sync();
			if (offset < file.bytes) throw new Error("the body was cut off");
		});
	} finally {
		clearTimeout(timer);
	}
}

/** The offset at which the response begins; 0 when the server ignores or rejects the range. */
function responseOffset({ statusCode, headers }: IncomingMessage, firstByte: number): number {
	if (statusCode === 206 && new RegExp(`^bytes ${firstByte}-`).test(headers["content-range"] ?? "")) return firstByte;
	if (statusCode === 200) return 0;
	throw new Error(`the server responded with status ${statusCode}`);
}

async function sizeOf(file: string): Promise<number> {
	return stat(file).then(
		({ size }) => size,
		() => 0,
	);
}

export async function hashesOf(file: string, bytes: number): Promise<{ readonly sha256: string; readonly git: string; readonly bytes: number }> {
	const sha256 = createHash("sha256");
	const git = createHash("sha1").update(`blob ${bytes}\0`);
	let count = 0;
	for await (const piece of createReadStream(file) as AsyncIterable<Uint8Array>) {
		sha256.update(piece);
		git.update(piece);
		count += piece.byteLength;
	}
	return { sha256: sha256.digest("hex"), git: git.digest("hex"), bytes: count };
}
