/** Whether the language model may be used for a task: both the operator and the organisation must allow it. */

import type { RecordStore } from "../ports/record-store.ts";
import type { ModelUse } from "../settings/model-uses.ts";
import { readSettings } from "../settings/settings.ts";
import type { ModelGateway } from "./model-gateway.ts";

/** @param records the unrestricted records of the organisation, which contain its settings */
export async function mayAsk(use: ModelUse, { policy }: ModelGateway, records: Pick<RecordStore, "get">, now: Date): Promise<boolean> {
	if (!policy.uses.includes(use)) return false;
	const { modelUses } = await readSettings(records, now);
	return modelUses === null || modelUses.includes(use);
}
