/** What a part is handed to ask the language model: what is known already, the budget, the number of calls, then the call, then the ledger. */

import { fail } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { ModelDoor, Question, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { fingerprint } from "./fingerprint.ts";
import type { ModelGate } from "./gate.ts";
import { charge, type Payer, whySpent } from "./ledger.ts";

export interface DoorParts {
	readonly gate: ModelGate;
	readonly records: RecordStore;
	/** Answers are one organisation's own. */
	readonly organisation: string;
	/** Whose budget it is besides the organisation's. */
	readonly payer: Payer;
	readonly callsMax: number;
	readonly world: World;
	/** Told when it begins to wait for the model, and when it does not wait any more. */
	readonly onWait: (isWaiting: boolean) => void;
}

const kind = "model-answer";
/** The first and one more. */
const triesMax = 2;

/** What is kept of an answer; one that was no JSON has no object. */
type Kept = { readonly object?: Json };

export function openModelDoor(parts: DoorParts, step: Step): ModelDoor {
	const { gate, records, organisation, payer, callsMax, world, onWait } = parts;
	let calls = 0;

	async function known(print: string): Promise<Kept | null> {
		// Nobody else writes the record.
		return ((await records.get(kind, print, world.now()))?.value as Kept | undefined) ?? null;
	}

	async function pay(question: Question, print: string): Promise<Kept> {
		const spent = await whySpent(payer, gate.terms, records, world.now());
		if (spent !== null) throw fail("MODEL_SPENT", spent);
		if (calls >= callsMax) throw fail("MODEL_SPENT", `a document is worth ${callsMax} calls`);
		const { usage, ...kept } = await gate.generate(question, print, step);
		calls++;
		await charge(payer, usage, gate.terms, records, world.now());
		const now = world.now();
		await records.put(kind, print, kept, { expected: null, expiresAt: new Date(now.getTime() + limits.modelAnswersKeptMs), now });
		return kept;
	}

	async function answerTo(question: Question): Promise<Kept> {
		const print = fingerprint(gate.name, question, gate.digest);
		onWait(true);
		try {
			return await gate.oneAtATime(`${organisation} ${print}`, async () => (await known(print)) ?? (await pay(question, print)));
		} finally {
			onWait(false);
		}
	}

	return {
		name: gate.name,
		ask: async (question, read) => {
			let asked = question;
			for (let tries = 1; ; tries++) {
				const { object } = await answerTo(asked);
				const answer = object === undefined ? { complaint: "it was no JSON" } : read(object);
				if ("value" in answer) return answer.value;
				if (tries === triesMax || calls >= callsMax) throw fail("MODEL_MALFORMED", answer.complaint);
				asked = {
					...question,
					prompt: `${question.prompt}\n\nAn earlier answer could not be used: ${answer.complaint}. Answer with one JSON object as asked.`,
				};
			}
		},
	};
}
