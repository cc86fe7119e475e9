/** The query and what it depends on, once, or twice to compare two settings. */

import { useState } from "react";
import { Button, Disclosure, DisclosurePanel, Form, Heading } from "react-aria-components";
import { Field, Tick } from "../parts/fields.tsx";
import { Parameters } from "./parameters.tsx";
import type { Query } from "./query.ts";

/** A query, and the same words with other settings to compare it with. */
export interface Asked {
	readonly query: Query;
	readonly other: Query | null;
}

interface QueryFormProps {
	readonly first: Asked;
	readonly onSearch: (asked: Asked) => void;
}

export function QueryForm({ first, onSearch }: QueryFormProps) {
	const [{ query, other }, setAsked] = useState(first);
	const [problem, setProblem] = useState<string | null>(null);
	const change = (changes: Partial<Query>) => setAsked({ query: { ...query, ...changes }, other });
	const compare = (settings: Query | null) => setAsked({ query, other: settings });
	return (
		<Form
			className="card query"
			onSubmit={(event) => {
				event.preventDefault();
				const q = query.q.trim();
				setProblem(q === "" ? "Write what to look for." : null);
				if (q !== "") onSearch({ query: { ...query, q }, other: other === null ? null : { ...other, q } });
			}}
		>
			<div className="query-line">
				<Field
					label="Query"
					type="search"
					value={query.q}
					onChange={(q) => change({ q })}
					problem={problem}
					description="A question or some words. * finds every document, newest first."
				/>
				<Button type="submit" className="button filled">
					Search
				</Button>
			</div>
			<Disclosure className="disclosure">
				<Heading level={2}>
					<Button slot="trigger" className="button quiet">
						<span aria-hidden="true" className="chevron" /> Parameters
					</Button>
				</Heading>
				<DisclosurePanel>
					<Parameters query={query} change={change} />
					<Tick isSelected={other !== null} onChange={(isCompared) => compare(isCompared ? query : null)}>
						Compare with other settings
					</Tick>
					{other !== null && (
						<fieldset className="second">
							<legend>Second settings</legend>
							<Parameters query={other} change={(changes) => compare({ ...other, ...changes })} />
						</fieldset>
					)}
				</DisclosurePanel>
			</Disclosure>
		</Form>
	);
}
