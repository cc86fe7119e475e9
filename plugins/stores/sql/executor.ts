/**
 * What an SQL engine provides for the statements of this folder. They are in the dialect of SQLite and run synchronously. Where the
 * rows are stored, how a commit reaches the disk, and which thread runs what is up to the engine.
 */

import type { AllOperations } from "./operations.ts";

export type Binding = string | number | bigint | null | Uint8Array<ArrayBuffer>;

export interface Statement<Row> {
	readonly all: (...params: Binding[]) => Row[];
	/** The first row; null if there is none. */
	readonly get: (...params: Binding[]) => Row | null;
	readonly run: (...params: Binding[]) => { readonly changes: number };
}

/** Runs statements on one connection. Operations get a connection that writes, the ports one that reads. */
export interface Executor {
	/** Prepares a statement. It should cache them, because the same few hundred are used again and again. */
	readonly statement: <Row>(sql: string) => Statement<Row>;
	/** Runs reads on one state of the database, whatever is committed in the meantime. */
	readonly snapshot: <Result>(read: () => Result) => Result;
}

/** What migrations need, on the connection that writes. */
export interface SchemaExecutor extends Pick<Executor, "statement"> {
	/** Runs several statements, which may create triggers. */
	readonly script: (sql: string) => void;
	/** Commits everything that `write` does, or nothing if it throws. */
	readonly transaction: <Result>(write: () => Result) => Result;
}

/** A statement with its parameters. */
export interface Question {
	readonly sql: string;
	readonly params: readonly Binding[];
}

/** Reads that take long, such as a count of all documents. Other requests do not wait for them. */
export interface LongReads {
	/** The bytes in the column `part` of the first row; null if there is no row. */
	readonly read: (asked: Question) => Promise<Uint8Array | null>;
	/** All rows. They may only have strings, numbers and nulls. */
	readonly all: <Row>(asked: Question) => Promise<readonly Row[]>;
}

/**
 * Runs an operation of `createOperations` by its name in a transaction. It resolves when the transaction is committed and, if the
 * operation `isDurable`, would survive a loss of power. The arguments may be posted to another thread, and the buffers in `transfer`
 * moved there.
 */
export type Write = <Name extends keyof AllOperations>(
	operation: Name,
	args: ArgsOf<AllOperations, Name>,
	transfer?: readonly ArrayBuffer[],
) => Promise<ResultOf<AllOperations, Name>>;

/** Everything that the ports are built on. */
export interface SqlEngine extends Executor {
	readonly write: Write;
	/** Runs long reads aside, for example in another thread. */
	readonly aside: LongReads;
}

/** A write. It runs synchronously, in a transaction that other writes may share. */
export interface Operation<Args, Result> {
	/** Whether it must survive a loss of power once it has resolved. Every operation survives the end of the process. */
	readonly isDurable: boolean;
	readonly run: (args: Args) => Result;
}

/** For writes that must survive a loss of power. */
export function durable<Args, Result>(run: (args: Args) => Result): Operation<Args, Result> {
	return { isDurable: true, run };
}

/** For writes that may be lost with a loss of power, because the pipeline repeats whatever it finds unfinished. */
export function repeatable<Args, Result>(run: (args: Args) => Result): Operation<Args, Result> {
	return { isDurable: false, run };
}

/** The operations of one port, by name. */
// biome-ignore lint/suspicious/noExplicitAny: arguments differ from one operation to the next; each caller knows its own
export type Operations = Readonly<Record<string, Operation<any, unknown>>>;

export type ArgsOf<Group extends Operations, Name extends keyof Group> = Parameters<Group[Name]["run"]>[0];
export type ResultOf<Group extends Operations, Name extends keyof Group> = ReturnType<Group[Name]["run"]>;
