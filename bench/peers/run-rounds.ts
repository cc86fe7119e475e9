/** Asks several engines the same in turn, so that what else happens on the machine hits all of them. */

import { median, shown, timesOf } from "../times.ts";
import type { Ask, Filter, Question } from "./peer.ts";

export interface Load {
	readonly clients: number;
	readonly filterOf: (at: number) => Filter;
}

export interface Figures {
	readonly perSecond: number;
	readonly p50: number;
	readonly p99: number;
}

const rounds = 3;
/** Each engine's first round does not count: its caches are cold. */
const warmRounds = 1;
const roundMs = 2_500;
const questionsPerRound = 97;

/** @returns for each engine the middle of its rounds. */
export async function runRounds(engines: ReadonlyMap<string, Ask>, questions: readonly Question[], load: Load): Promise<ReadonlyMap<string, Figures>> {
	const taken = new Map([...engines.keys()].map((name) => [name, [] as Figures[]]));
	for (let round = -warmRounds; round < rounds; round++)
		for (const [name, ask] of inTurn([...engines], round + warmRounds)) {
			const figures = await runRound(ask, questions, load, (round + warmRounds) * questionsPerRound);
			if (round >= 0) taken.get(name)?.push(figures);
		}
	return new Map([...taken].map(([name, figures]) => [name, middle(figures)]));
}

/** Whoever came second before comes first now. */
function inTurn<Item>(items: readonly Item[], turn: number): readonly Item[] {
	const at = turn % items.length;
	return [...items.slice(at), ...items.slice(0, at)];
}

async function runRound(ask: Ask, questions: readonly Question[], { clients, filterOf }: Load, from: number): Promise<Figures> {
	const took: number[] = [];
	let next = from;
	const began = performance.now();
	const client = async () => {
		while (performance.now() - began < roundMs) {
			const at = next++;
			const question = questions[at % questions.length];
			if (question === undefined) throw new Error("there are no questions");
			const asked = performance.now();
			await ask(question, filterOf(at));
			took.push(performance.now() - asked);
		}
	};
	await Promise.all(Array.from({ length: clients }, client));
	const { p50, p99 } = timesOf(took);
	return { perSecond: (took.length * 1_000) / (performance.now() - began), p50, p99 };
}

function middle(figures: readonly Figures[]): Figures {
	const of = (key: keyof Figures) => median(figures.map((each) => each[key]));
	return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99") };
}

export function shownFigures({ perSecond, p50, p99 }: Figures): string {
	return `${perSecond.toFixed(perSecond < 10 ? 1 : 0)} q/s, p50 ${shown(p50)}, p99 ${shown(p99)}`;
}
