/** Whether the language model may be asked for something: there is one, the operator allows it, and the organisation wants it. */

import type { RecordStore } from "../ports/record-store.ts";
import type { ModelUse } from "../settings/model-uses.ts";
import { readSettings } from "../settings/settings.ts";
import type { ModelGateway } from "./model-gateway.ts";

/** @param records the whole organisation's, where its settings are. */
export async function mayAsk(use: ModelUse, { terms }: ModelGateway, records: Pick<RecordStore, "get">, now: Date): Promise<boolean> {
	if (!terms.uses.includes(use)) return false;
	const { modelUses } = await readSettings(records, now);
	return modelUses === null || modelUses.includes(use);
}
