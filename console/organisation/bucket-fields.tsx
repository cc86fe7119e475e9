/** The buckets of profiles: written by hand, or suggested from what is stored. */

import { Button } from "react-aria-components";
import { useConsole } from "../context.ts";
import { Field } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import type { Bucket } from "./settings-draft.ts";

interface BucketFieldsProps {
	readonly buckets: readonly Bucket[];
	readonly onChange: (buckets: readonly Bucket[]) => void;
}

export function BucketFields({ buckets, onChange }: BucketFieldsProps) {
	const { api } = useConsole();
	const { problem, attempt } = useAttempt();
	const suggest = async () => {
		const { suggestions } = await api.ask<{ readonly suggestions: readonly Bucket[] }>("POST", "/v3/settings/suggest-buckets", {});
		onChange([...buckets, ...suggestions.filter(({ key }) => buckets.every((bucket) => bucket.key !== key))]);
	};
	const put = (i: number, changes: Partial<Bucket>) => onChange(buckets.map((bucket, at) => (at === i ? { ...bucket, ...changes } : bucket)));
	return (
		<fieldset className="buckets">
			<legend>Buckets of profiles</legend>
			{buckets.map((bucket, i) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a bucket has no name until one is typed
				<div key={i} className="query-line">
					<Field label="Key" value={bucket.key} onChange={(key) => put(i, { key })} />
					<Field label="What belongs into it" value={bucket.description} onChange={(description) => put(i, { description })} />
					<Button className="button quiet danger" aria-label={`Remove the bucket ${bucket.key}`} onPress={() => onChange(buckets.filter((_, at) => at !== i))}>
						Remove
					</Button>
				</div>
			))}
			<div className="actions">
				<Button className="button" onPress={() => onChange([...buckets, { key: "", description: "" }])}>
					Add a bucket
				</Button>
				<Button className="button" onPress={() => attempt(suggest)}>
					Suggest some
				</Button>
			</div>
			{problem !== null && <Trouble problem={problem} />}
		</fieldset>
	);
}
