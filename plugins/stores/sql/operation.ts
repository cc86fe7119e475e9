/** A write, as the writer thread runs it: synchronous, inside a transaction that others may share. */

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
