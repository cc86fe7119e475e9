/** The model client: it looks for a stored response, checks the budget and the number of calls, then calls the language model and records the cost. */

import { fail } from "../errors/fail.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { ModelClient, ModelRequest, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { fingerprint } from "./fingerprint.ts";
import { charge, exhaustedBudget, type Payer } from "./ledger.ts";
import { type ModelGateway, policyFor } from "./model-gateway.ts";

export interface ModelClientParts {
	readonly gateway: ModelGateway;
	readonly records: RecordStore;
	/** Stored responses belong to one organisation. */
	readonly organisation: OrganisationId;
	/** Whose budget the calls count against, besides that of the organisation. */
	readonly payer: Payer;
	readonly callsMax: number;
	readonly world: World;
	/** Called with true when it begins to wait for the model, and with false when the wait is over. */
	readonly onWait: (isWaiting: boolean) => void;
}

const kind = "model-answer";
/** The first attempt and one more. */
const attemptsMax = 2;

/** The stored part of a response; it has no object if the response was not JSON. */
type StoredResponse = { readonly object?: Json };

export function openModelClient(parts: ModelClientParts, step: Step): ModelClient {
	const { gateway, records, organisation, payer, callsMax, world, onWait } = parts;
	let calls = 0;

	async function findStored(requestFingerprint: string): Promise<StoredResponse | null> {
		// Only this client writes the record.
		return ((await records.get(kind, requestFingerprint, world.now()))?.value as StoredResponse | undefined) ?? null;
	}

	async function callModel(request: ModelRequest, requestFingerprint: string): Promise<StoredResponse> {
		const reason = await exhaustedBudget(payer, await policyFor(organisation, gateway), records, world.now());
		if (reason !== null) throw fail("MODEL_SPENT", reason);
		if (calls >= callsMax) throw fail("MODEL_SPENT", `at most ${callsMax} calls are made for one document or search`);
		const { usage, ...response } = await gateway.generate(request, requestFingerprint, step);
		calls++;
		await charge(payer, usage, gateway.policy, records, world.now());
		const now = world.now();
		await records.put(kind, requestFingerprint, response, { expected: null, expiresAt: new Date(now.getTime() + limits.modelAnswerRetentionMs), now });
		return response;
	}

	async function respondTo(request: ModelRequest): Promise<StoredResponse> {
		const requestFingerprint = fingerprint(gateway.name, request, gateway.digest);
		onWait(true);
		try {
			return await gateway.oneAtATime(
				`${organisation} ${requestFingerprint}`,
				async () => (await findStored(requestFingerprint)) ?? (await callModel(request, requestFingerprint)),
			);
		} finally {
			onWait(false);
		}
	}

	return {
		name: gateway.name,
		ask: async (request, read) => {
			let current = request;
			for (let attempts = 1; ; attempts++) {
				const { object } = await respondTo(current);
				const answer = object === undefined ? { problem: "it was not JSON" } : read(object);
				if ("value" in answer) return answer.value;
				if (attempts === attemptsMax || calls >= callsMax) throw fail("MODEL_MALFORMED", answer.problem);
				current = {
					...request,
					prompt: `${request.prompt}\n\nAn earlier answer could not be used: ${answer.problem}. Answer with one JSON object as asked.`,
				};
			}
		},
	};
}
