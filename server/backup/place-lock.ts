/**
 * Lets only one backup at a time change the shared originals of a place, so that no backup removes an original that another one relies on. The
 * lock is a small file that its holder renews. A lock that is not renewed, or whose process has ended, is taken over.
 */

import { hostname } from "node:os";
import { fail, type ServiceError } from "../../core/errors/fail.ts";
import { type BackupPlace, readText, writeText } from "./places/place.ts";

const lockName = "lock";
const minuteMs = 60_000;
const renewEveryMs = minuteMs;
/** If the holder could not renew the lock for this long, it stops, well before another process takes over. */
const trustedMs = 10 * minuteMs;
const takenOverAfterMs = 30 * minuteMs;
const settledAfterMs = 1_000;

interface LockText {
	readonly holder: string;
	readonly host: string;
	readonly process: number;
	readonly renewedAt: string;
}

export interface PlaceLock extends AsyncDisposable {
	/** Called before each step that relies on the lock. @throws ServiceError `BACKUP_RUNNING` */
	readonly demand: () => Promise<void>;
	/** Asks the place itself. Called before a step that others cannot take back. @throws ServiceError `BACKUP_RUNNING`, and what the place answers */
	readonly confirm: () => Promise<void>;
}

/** The locks that this thread holds. */
const held = new Set<string>();

/** @throws ServiceError `BACKUP_RUNNING` */
export async function lockPlace(place: BackupPlace): Promise<PlaceLock> {
	const holder = crypto.randomUUID();
	const text = () => JSON.stringify({ holder, host: hostname(), process: process.pid, renewedAt: new Date().toISOString() } satisfies LockText);
	if (!(await place.create(lockName, text()))) {
		const other = await readLock(place);
		if (other !== null && isInUse(other)) throw runningIn(place, other);
		await takeOver(place, text());
	}
	held.add(holder);
	let renewedAt = Date.now();
	let lost: ServiceError | null = null;
	const renew = async () => {
		const now = await readLock(place);
		if (now?.holder !== holder) {
			lost = runningIn(place, now);
			throw lost;
		}
		await writeText(place, lockName, text());
		renewedAt = Date.now();
	};
	const timer = setInterval(() => void renew().catch(() => undefined), renewEveryMs);
	return {
		demand: async () => {
			if (lost !== null) throw lost;
			if (Date.now() - renewedAt > trustedMs) await renew();
		},
		confirm: renew,
		[Symbol.asyncDispose]: async () => {
			clearInterval(timer);
			held.delete(holder);
			if ((await readLock(place).catch(() => null))?.holder === holder) await place.remove(lockName).catch(() => undefined);
		},
	};
}

/** Takes over a lock. Another process may do the same at that moment; the lock belongs to the one whose text is in the file a moment later. */
async function takeOver(place: BackupPlace, text: string): Promise<void> {
	await place.remove(lockName);
	if (await place.create(lockName, text)) {
		await new Promise((resolve) => setTimeout(resolve, settledAfterMs));
		if ((await readText(place, lockName)) === text) return;
	}
	throw runningIn(place, await readLock(place));
}

/** The lock; null if there is none, or if the file is not a lock. */
async function readLock(place: BackupPlace): Promise<LockText | null> {
	try {
		return JSON.parse((await readText(place, lockName)) ?? "null") as LockText | null;
	} catch (thrown) {
		if (thrown instanceof SyntaxError) return null;
		throw thrown;
	}
}

function isInUse({ holder, host, process: id, renewedAt }: LockText): boolean {
	if (!(Date.now() - Date.parse(renewedAt) < takenOverAfterMs)) return false;
	if (host !== hostname()) return true;
	// In a container every start may have the same process id.
	return id === process.pid ? held.has(holder) : isAlive(id);
}

function runningIn({ address }: BackupPlace, lock: LockText | null): ServiceError {
	return fail("BACKUP_RUNNING", address, lock === null ? "" : ` (process ${lock.process} of ${lock.host}, last seen at ${lock.renewedAt})`);
}

function isAlive(processId: number): boolean {
	try {
		process.kill(processId, 0);
		return true;
	} catch (thrown) {
		return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
	}
}
