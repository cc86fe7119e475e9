/**
 * What an SQL engine provides for the statements of this folder, and what they are written as: *programs*, which ask one statement
 * after the other with `yield*` and do not know whether the answer comes at once or over a network. An engine that answers at once
 * runs a program to its end in the calling thread, see `contextOf`. Another one awaits each answer.
 */

import type { OrganisationId } from "cairn-memory";
import type { AllOperations } from "./operations.ts";

export type Binding = string | number | bigint | null | Uint8Array<ArrayBuffer>;

/** A prepared statement of an engine that answers at once. */
export interface Statement<Row> {
	readonly all: (...params: Binding[]) => Row[];
	/** The first row; null if there is none. */
	readonly get: (...params: Binding[]) => Row | null;
	readonly run: (...params: Binding[]) => { readonly changes: number };
}

/** Runs statements on one connection, which answers at once. */
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

/** What a program asks of an engine that answers later. */
export interface Asked extends Question {
	readonly want: keyof Statement<unknown>;
}

/**
 * Statements in their order, with what is decided between them. Generators are programs, and so is a single statement. It has to be
 * asked with `yield*` or given to an engine, once and at once: until then nothing of a generator runs.
 */
export interface Program<Result> {
	// biome-ignore lint/suspicious/noExplicitAny: the answer to each question has a type of its own, which `yield*` restores
	readonly [Symbol.iterator]: () => Iterator<AskedAtOnce, Result, any>;
}

/** One question, or several of which none needs the answer to another. */
export type AskedAtOnce = Asked | readonly AskedAtOnce[];

/**
 * Runs programs beside each other whose results nobody needs. An engine that answers later sends the first statements of all together, in this
 * order, then the second ones, so that several take one way to the database and back.
 */
export function* together(...programs: readonly Program<unknown>[]): Program<void> {
	let running = programs.map((program) => program[Symbol.iterator]());
	for (let answers: readonly unknown[] = []; ; ) {
		const steps = running.map((iterator, i) => ({ iterator, step: iterator.next(answers[i]) }));
		const asking = steps.flatMap(({ iterator, step }) => (step.done === true ? [] : [{ iterator, asked: step.value }]));
		if (asking.length === 0) return;
		running = asking.map(({ iterator }) => iterator);
		answers = yield asking.map(({ asked }) => asked);
	}
}

/** A statement as programs use it. */
export interface ProgramStatement<Row> {
	readonly all: (...params: Binding[]) => Program<Row[]>;
	/** The first row; null if there is none. */
	readonly get: (...params: Binding[]) => Program<Row | null>;
	readonly run: (...params: Binding[]) => Program<{ readonly changes: number }>;
}

/** What programs are written with. */
export interface SqlContext {
	readonly statement: <Row>(sql: string) => ProgramStatement<Row>;
	/** Added to a SELECT of jobs that are about to be claimed, so that two workers do not wait for each other. Empty where one writes at a time. */
	readonly skipLocked: string;
}

/** The context of a connection that answers at once: no program on it ever waits. */
export function contextOf({ statement }: Pick<Executor, "statement">): SqlContext {
	return { statement: <Row>(sql: string) => new AnsweredStatement(statement<Row>(sql)), skipLocked: "" };
}

/** A class, because a write runs some dozens of statements, and this makes one object for each of them and not four. */
class AnsweredStatement<Row> implements ProgramStatement<Row> {
	readonly prepared: Statement<Row>;

	constructor(prepared: Statement<Row>) {
		this.prepared = prepared;
	}

	all(...params: Binding[]): Program<Row[]> {
		return new Answered(this.prepared.all(...params));
	}

	get(...params: Binding[]): Program<Row | null> {
		return new Answered(this.prepared.get(...params));
	}

	run(...params: Binding[]): Program<{ readonly changes: number }> {
		return new Answered(this.prepared.run(...params));
	}
}

/** A program that is over: its own iterator, and the only step of it. */
class Answered<Result> implements Program<Result> {
	readonly done = true;
	readonly value: Result;

	constructor(value: Result) {
		this.value = value;
	}

	[Symbol.iterator](): this {
		return this;
	}

	next(): this {
		return this;
	}
}

/** Runs a program whose context answers at once. */
export function runHere<Result>(program: Program<Result>): Result {
	const step = program[Symbol.iterator]().next();
	if (step.done !== true) throw new Error("a program for an engine that answers at once asked one that answers later");
	return step.value;
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
export interface SqlEngine extends Pick<SqlContext, "statement"> {
	/** Runs a program that only reads. */
	readonly read: <Result>(program: Program<Result>) => Promise<Result>;
	/**
	 * The same on one state of the database, whatever is committed in the meantime.
	 * @param settled of this organisation no write is under way: what it logs from now on comes after everything that is read.
	 */
	readonly snapshot: <Result>(program: Program<Result>, settled?: OrganisationId) => Promise<Result>;
	readonly write: Write;
	/** Runs long reads aside, for example in another thread. */
	readonly aside: LongReads;
}

/** The reads of an engine whose connection answers at once. Its writers wait for each other, so every snapshot is settled. */
export function readsOf(connection: Executor): Pick<SqlEngine, "statement" | "read" | "snapshot"> {
	return {
		statement: contextOf(connection).statement,
		read: async (program) => runHere(program),
		snapshot: async (program) => connection.snapshot(() => runHere(program)),
	};
}

/** A write, which runs in a transaction that other writes may share. */
export interface Operation<Args, Result> {
	/** Whether it must survive a loss of power once it has resolved. Every operation survives the end of the process. */
	readonly isDurable: boolean;
	/** Whose rows it reads and writes, if no others': then it may run beside operations of other subjects in one transaction, which it neither sees nor disturbs. */
	readonly subject?: (args: Args) => string;
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

/** For repeatable writes to the rows of one document alone. */
export function documentStep<Args extends { readonly id: string }, Result>(run: (args: Args) => Result): Operation<Args, Result> {
	return { ...repeatable(run), subject: ({ id }) => id };
}

/** The operations of one port, by name. */
// biome-ignore lint/suspicious/noExplicitAny: arguments differ from one operation to the next; each caller knows its own
export type Operations<Result = unknown> = Readonly<Record<string, Operation<any, Result>>>;

export type ArgsOf<Group extends Operations, Name extends keyof Group> = Parameters<Group[Name]["run"]>[0];
export type ResultOf<Group extends Operations, Name extends keyof Group> = ReturnType<Group[Name]["run"]> extends Program<infer Result> ? Result : never;

/** Operations that run at once. */
export type DirectOperations<Group extends Operations> = { readonly [Name in keyof Group]: Operation<ArgsOf<Group, Name>, ResultOf<Group, Name>> };
