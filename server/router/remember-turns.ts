/** Stores finished chat turns in the background, so that no response waits for it. A turn that cannot be stored is logged. */

import { asServiceError } from "../../core/errors/fail.ts";
import type { Caller } from "../../core/model/caller.ts";
import { limits } from "../../core/model/limits.ts";
import type { World } from "../../core/ports/world.ts";
import { retryDelayMs } from "../../core/runtime/backoff.ts";
import { createKeyedMutex } from "../../core/runtime/keyed-mutex.ts";
import type { Service } from "../../core/service.ts";
import { parseConversation } from "../wire/v4/conversation-request.ts";
import type { Turn } from "./turn.ts";

export interface TurnStore {
	readonly remember: (caller: Caller, turn: Turn) => void;
	/** Logs that a turn was not stored, and why. */
	readonly logLost: (turn: Pick<Turn, "containerTags"> & { readonly conversationId: string | null }, reason: string) => void;
	/** Resolves when all turns are stored. */
	readonly settled: () => Promise<void>;
}

export function createTurns({ converse }: Pick<Service, "converse">, world: World): TurnStore {
	// Turns of one conversation are stored one after the other, because each adds to the same document.
	const lockConversation = createKeyedMutex();
	const pendingWrites = new Set<Promise<void>>();

	async function store(caller: Caller, { messages, ...turn }: Turn): Promise<void> {
		const sent = messages.map(({ name, ...message }) => ({ ...message, ...(name !== null && { name }) }));
		const conversation = { ...parseConversation({ ...turn, messages: sent }), metadata: { sm_source: "router" } };
		for (let attempt = 1; ; attempt++) {
			try {
				await converse(caller, conversation);
				return;
			} catch (thrown) {
				if (!asServiceError(thrown).mayPass || attempt === limits.attemptsMax) throw thrown;
				await world.sleep(retryDelayMs(attempt, world.random()), new AbortController().signal);
			}
		}
	}

	const logLost: TurnStore["logLost"] = ({ conversationId, containerTags }, reason) =>
		world.log("warn", "a turn was not stored", { conversationId, containerTags, why: reason });

	return {
		logLost,
		remember: (caller, turn) => {
			const write = lockConversation(`${caller.organisation} ${turn.conversationId}`, () => store(caller, turn)).catch((thrown: unknown) => {
				const { code, message } = asServiceError(thrown);
				logLost(turn, `${code}: ${message}`);
			});
			pendingWrites.add(write);
			void write.finally(() => pendingWrites.delete(write));
		},
		settled: async () => {
			while (pendingWrites.size > 0) await Promise.all(pendingWrites);
		},
	};
}
