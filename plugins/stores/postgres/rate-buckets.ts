/** Token buckets of rate limits that all servers share, by the clock of the database. Taking a token is one statement, without a transaction. */

import type { OrganisationId } from "cairn-memory";
import type { RateLimit, TakenToken } from "cairn-memory/stores";
import type { PostgresConnection } from "./connection.ts";

const now = "(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";
/** What has been refilled since the last request is there, and never more than the whole limit. */
const available = `least($3::DOUBLE PRECISION, b.tokens + greatest(0, ${now} - b.at) * $3::DOUBLE PRECISION / $4)`;

const take = `INSERT INTO rate_buckets AS b (organisation, bucket, tokens, is_allowed, at) VALUES ($1, $2, $3::DOUBLE PRECISION - 1, true, ${now})
	ON CONFLICT (organisation, bucket) DO UPDATE SET is_allowed = ${available} >= 1, tokens = ${available} - CASE WHEN ${available} >= 1 THEN 1 ELSE 0 END, at = ${now}
	RETURNING tokens, is_allowed`;

/** No window is longer than a day, so these are full. */
const sweep = `DELETE FROM rate_buckets WHERE at < ${now} - 86400000`;

export function rateBuckets({ query }: Pick<PostgresConnection, "query">) {
	return {
		takeToken: async (organisation: OrganisationId, bucket: string, { requestsMax, windowMs }: RateLimit): Promise<TakenToken> => {
			const [row] = (await query(take, [organisation, bucket, requestsMax, windowMs])).rows as readonly { tokens: number; is_allowed: number }[];
			return { isAllowed: row?.is_allowed === 1, tokens: row?.tokens ?? 0 };
		},
		sweepBuckets: async (): Promise<void> => void (await query(sweep, [])),
	};
}
