/** Reads, changes and resets the settings of an organisation, and suggests profile buckets. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import type { KeyBearer } from "../model/caller.ts";
import type { ProfileBucket } from "../model/container.ts";
import type { Parts } from "../parts.ts";
import type { Organisation } from "../ports/account-store.ts";
import type { AuditEventType, LogEvent } from "../ports/event-log.ts";
import { createKeyedMutex } from "../runtime/keyed-mutex.ts";
import { changeSettings, readSettings, type Settings, type SettingsChange, secretNames } from "../settings/settings.ts";
import { type ResetCounts, reset } from "./reset.ts";
import { suggestBuckets } from "./suggest-buckets.ts";

export interface SettingsService {
	/** Secrets are returned encrypted. */
	readonly get: (caller: KeyBearer) => Promise<Settings>;
	/** Encrypts the secrets of the change and stores it. For administrators only. */
	readonly change: (caller: KeyBearer, change: SettingsChange) => Promise<Organisation>;
	/** @param confirmation `RESET`, or the organisation's slug; anything else is refused. For administrators only. */
	readonly reset: (caller: KeyBearer, confirmation: string) => Promise<ResetCounts>;
	/** Throws `SETTINGS_TOPICLESS`. */
	readonly suggestBuckets: (caller: KeyBearer) => Promise<readonly ProfileBucket[]>;
}

export interface SettingsParts extends Pick<Parts, "storage" | "world"> {
	/** Encrypts a secret. It can only be decrypted with the same purpose. */
	readonly seal: (text: string, purpose: string) => string;
}

const confirmationWord = "RESET";

export function createSettingsService({ storage, world, seal }: SettingsParts): SettingsService {
	const mutex = createKeyedMutex();

	async function recordEvent(caller: KeyBearer, type: AuditEventType, facts: LogEvent["facts"]): Promise<void> {
		const { events } = authorize(storage, caller);
		await events.append({ type, at: world.now(), subject: caller.organisation, containerTags: [], facts: { by: caller.id, ...facts } });
	}

	async function organisationOf({ organisation }: KeyBearer): Promise<Organisation> {
		const found = (await storage.accounts.organisations()).find(({ id }) => id === organisation);
		if (found === undefined) throw fail("KEY_INVALID");
		return found;
	}

	function withSealedSecrets(change: SettingsChange, { organisation }: KeyBearer): SettingsChange {
		const secrets = secretNames.flatMap((name) => {
			const secret = change[name];
			return typeof secret === "string" ? [[name, seal(secret, `settings ${organisation} ${name}`)]] : [];
		});
		return { ...change, ...Object.fromEntries(secrets) };
	}

	const get: SettingsService["get"] = async (caller) => {
		demandWholeOrganisation(caller);
		return readSettings(authorize(storage, caller).records, world.now());
	};

	return {
		get,
		change: async (caller, change) => {
			const { records } = authorize(storage, caller);
			if (Object.keys(change).length > 0) {
				await mutex(caller.organisation, () => changeSettings(withSealedSecrets(change, caller), records, world));
				await recordEvent(caller, "settings.changed", { changed: Object.keys(change) });
			}
			return organisationOf(caller);
		},
		reset: async (caller, confirmation) => {
			const { slug } = await organisationOf(caller);
			if (confirmation !== confirmationWord && confirmation !== slug)
				throw fail("INPUT_INVALID", `confirmation should be ${confirmationWord}, or ${slug}, the slug of the organisation`);
			const counts = await reset(authorize(storage, caller), world);
			const { documents, memories, containers, connections } = counts;
			await recordEvent(caller, "settings.reset", { documents, memories, containers, connections });
			return counts;
		},
		suggestBuckets: async (caller) => {
			const buckets = await suggestBuckets(await get(caller), authorize(storage, caller));
			if (buckets.length === 0) throw fail("SETTINGS_TOPICLESS");
			return buckets;
		},
	};
}

/** Refuses a key with grants, for which the settings would look empty. */
function demandWholeOrganisation({ grants }: KeyBearer): void {
	if (grants !== null) throw fail("CONTAINER_FORBIDDEN", "has no access to the settings of the organisation");
}
