/** What a part uses to ask the language model. It checks stored answers, the budget and the number of calls, then asks and writes the cost to the ledger. */

import { fail } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { ModelClient, Question, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { fingerprint } from "./fingerprint.ts";
import { charge, type Payer, whySpent } from "./ledger.ts";
import type { ModelGateway } from "./model-gateway.ts";

export interface ModelClientParts {
	readonly gateway: ModelGateway;
	readonly records: RecordStore;
	/** Stored answers belong to one organisation. */
	readonly organisation: string;
	/** Whose budget counts besides the organisation's. */
	readonly payer: Payer;
	readonly callsMax: number;
	readonly world: World;
	/** Called when it begins to wait for the model, and when the wait is over. */
	readonly onWait: (isWaiting: boolean) => void;
}

const kind = "model-answer";
/** The first and one more. */
const triesMax = 2;

/** The stored part of an answer; one that was no JSON has no object. */
type StoredAnswer = { readonly object?: Json };

export function openModelClient(parts: ModelClientParts, step: Step): ModelClient {
	const { gateway, records, organisation, payer, callsMax, world, onWait } = parts;
	let calls = 0;

	async function known(questionFingerprint: string): Promise<StoredAnswer | null> {
		// Only this client writes the record.
		return ((await records.get(kind, questionFingerprint, world.now()))?.value as StoredAnswer | undefined) ?? null;
	}

	async function pay(question: Question, questionFingerprint: string): Promise<StoredAnswer> {
		const spent = await whySpent(payer, gateway.terms, records, world.now());
		if (spent !== null) throw fail("MODEL_SPENT", spent);
		if (calls >= callsMax) throw fail("MODEL_SPENT", `a document is worth ${callsMax} calls`);
		const { usage, ...kept } = await gateway.generate(question, questionFingerprint, step);
		calls++;
		await charge(payer, usage, gateway.terms, records, world.now());
		const now = world.now();
		await records.put(kind, questionFingerprint, kept, { expected: null, expiresAt: new Date(now.getTime() + limits.modelAnswerRetentionMs), now });
		return kept;
	}

	async function answerTo(question: Question): Promise<StoredAnswer> {
		const questionFingerprint = fingerprint(gateway.name, question, gateway.digest);
		onWait(true);
		try {
			return await gateway.oneAtATime(
				`${organisation} ${questionFingerprint}`,
				async () => (await known(questionFingerprint)) ?? (await pay(question, questionFingerprint)),
			);
		} finally {
			onWait(false);
		}
	}

	return {
		name: gateway.name,
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
