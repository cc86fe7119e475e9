/**
 * Lines to the server, each used by one at a time and never replaced under whoever uses it. The pool of postgres.js 3.4.9 connects anew in the
 * middle of a transaction, whose later statements then run outside of it, ends the process with an error in a callback, and never answers
 * statements that waited when a connection was lost (porsager/postgres#1186, #1208, #1216). So each line is a client with one connection,
 * which is thrown away when it is lost.
 */

import postgres from "postgres";

type Rows = postgres.RowList<readonly postgres.Row[]>;
export type LineOptions = postgres.Options<never>;

export interface Line {
	/** Rejects when the line is lost, even before the server was asked. Statements are sent in their order, without waiting for the answers in between. */
	readonly run: (sql: string, params?: readonly unknown[], prepare?: boolean) => Promise<Rows>;
	/** Whether nothing more can be asked on it. */
	readonly isBroken: () => boolean;
	readonly end: (waitSeconds: number) => Promise<void>;
}

/** The classes of errors after which the server closes the connection. */
const fatal: ReadonlySet<string> = new Set(["FATAL", "PANIC"]);

/** @param onLost called when the connection was lost, or could not be made */
export function openLine(url: string, options: LineOptions, onLost: () => void = () => undefined): Line {
	/** Rejects each statement that waits for an answer. A promise for all of them would keep every one of them for as long as the line lives. */
	const asked = new Set<(reason: Error) => void>();
	let isBroken = false;
	const breakLine = () => {
		if (isBroken) return;
		isBroken = true;
		for (const reject of asked) reject(lostError());
		// Before it connects anew for a statement that waits in it, which would then run outside of its transaction.
		client.end({ timeout: 0 }).catch(() => undefined);
		onLost();
	};
	// A connection that grows old would be closed between two statements of a transaction.
	const client = postgres(url, { ...options, max: 1, max_lifetime: null, onclose: breakLine });
	return {
		run: async (sql, params = [], prepare = false) => {
			if (isBroken) throw lostError();
			const { promise, resolve, reject } = Promise.withResolvers<Rows>();
			asked.add(reject);
			client.unsafe(sql, params as never[], { prepare }).then((rows) => resolve(rows as Rows), reject);
			try {
				return await promise;
			} catch (thrown) {
				if (!(thrown instanceof postgres.PostgresError) || fatal.has(thrown.severity)) breakLine();
				throw thrown;
			} finally {
				asked.delete(reject);
			}
		},
		isBroken: () => isBroken,
		end: (waitSeconds) => client.end({ timeout: waitSeconds }),
	};
}

function lostError(): Error {
	return Object.assign(new Error("the connection to the database was lost"), { code: "CONNECTION_CLOSED" });
}

export interface Lines {
	/** Runs with a line that nobody else uses meanwhile. Waits while all are in use. */
	readonly use: <Result>(run: (line: Line) => Promise<Result>) => Promise<Result>;
	/** Ends all, once those in use are given back, or after a time. */
	readonly end: (waitSeconds: number) => Promise<void>;
}

/** @param most how many lines are open at most */
export function linesTo(open: () => Line, most: number): Lines {
	const all = new Set<Line>();
	/** The one that was used last is used next: it has most statements prepared. */
	const idle: Line[] = [];
	const waiting: ((line: Line) => void)[] = [];
	let isEnded = false;

	function add(): Line {
		const line = open();
		all.add(line);
		// Whoever asks now is answered that the connection is closed.
		if (isEnded) line.end(0).catch(() => undefined);
		return line;
	}

	function discard(line: Line): void {
		all.delete(line);
		line.end(0).catch(() => undefined);
	}

	function take(): Line | Promise<Line> {
		for (let line = idle.pop(); line !== undefined; line = idle.pop()) {
			if (!line.isBroken()) return line;
			discard(line);
		}
		return all.size < most ? add() : new Promise((resolve) => waiting.push(resolve));
	}

	function giveBack(line: Line): void {
		if (line.isBroken()) discard(line);
		const next = waiting.shift();
		if (next !== undefined) next(line.isBroken() ? add() : line);
		else if (!line.isBroken()) idle.push(line);
	}

	return {
		use: async (run) => {
			const line = await take();
			try {
				return await run(line);
			} finally {
				giveBack(line);
			}
		},
		end: async (waitSeconds) => {
			isEnded = true;
			await Promise.all(Array.from(all, (line) => line.end(waitSeconds)));
		},
	};
}
