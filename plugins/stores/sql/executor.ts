/**
 * What an SQL engine brings for the statements of this folder, which are in the dialect of SQLite and run to their end before
 * anything else does. Where the rows lie, how a commit reaches the disk, and which thread runs what is the engine's affair.
 */

import type { AllOperations } from "./operations.ts";

export type Binding = string | number | bigint | null | Uint8Array<ArrayBuffer>;

export interface Statement<Row> {
	readonly all: (...params: Binding[]) => Row[];
	/** The first row; null where there is none. */
	readonly get: (...params: Binding[]) => Row | null;
	readonly run: (...params: Binding[]) => { readonly changes: number };
}

/** Runs statements on one connection: the operations are handed one that writes, the ports one that reads. */
export interface Executor {
	/** Prepares once: the same few hundred texts come back. */
	readonly statement: <Row>(sql: string) => Statement<Row>;
	/** Runs reads against one state of the database, however much is committed meanwhile. */
	readonly snapshot: <Result>(read: () => Result) => Result;
}

/** For migrations, on the connection that writes. */
export interface SchemaExecutor extends Pick<Executor, "statement"> {
	/** Runs several statements, triggers included. */
	readonly script: (sql: string) => void;
	/** All of it or nothing. */
	readonly transaction: <Result>(write: () => Result) => Result;
}

export interface Question {
	readonly sql: string;
	readonly params: readonly Binding[];
}

/** Reads that take long, such as a count of all documents: whoever is answered meanwhile does not wait for them. */
export interface LongReads {
	/** The bytes in `part` of the first row. Null where the statement answers no row. */
	readonly read: (asked: Question) => Promise<Uint8Array | null>;
	/** All rows, of texts and numbers only. */
	readonly all: <Row>(asked: Question) => Promise<readonly Row[]>;
}

/**
 * Runs an operation of `createOperations` by its name in a transaction and resolves once it is committed; where it says
 * `isDurable`, once it would survive a loss of power. Its arguments may be posted to another thread, and the buffers in
 * `transfer` moved there.
 */
export type Write = <Name extends keyof AllOperations>(
	operation: Name,
	args: ArgsOf<AllOperations, Name>,
	transfer?: readonly ArrayBuffer[],
) => Promise<ResultOf<AllOperations, Name>>;

/** All that the ports are built on. */
export interface SqlEngine extends Executor {
	readonly write: Write;
	readonly aside: LongReads;
}

/** A write: synchronous, inside a transaction that others may share. */
export interface Operation<Args, Result> {
	/** Whether it must survive a loss of power once it is answered. Every operation survives the end of the process. */
	readonly isDurable: boolean;
	readonly run: (args: Args) => Result;
}

export function durable<Args, Result>(run: (args: Args) => Result): Operation<Args, Result> {
	return { isDurable: true, run };
}

/** For what can be done again after a loss of power: the pipeline repeats whatever it finds unfinished. */
export function repeatable<Args, Result>(run: (args: Args) => Result): Operation<Args, Result> {
	return { isDurable: false, run };
}

/** The operations of one port, by name. */
// biome-ignore lint/suspicious/noExplicitAny: arguments differ from one operation to the next; each caller knows its own
export type Operations = Readonly<Record<string, Operation<any, unknown>>>;

export type ArgsOf<Group extends Operations, Name extends keyof Group> = Parameters<Group[Name]["run"]>[0];
export type ResultOf<Group extends Operations, Name extends keyof Group> = ReturnType<Group[Name]["run"]>;
