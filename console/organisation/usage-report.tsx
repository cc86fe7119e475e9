/** What the organisation uses of its quotas, what the language model and embedding services have been asked, and what it cost. */

import { useState } from "react";
import { useLoad } from "../api/use-load.ts";
import type { Usage } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Field } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { Count } from "../parts/values.tsx";
import { UsedOfQuotas } from "./quotas.tsx";

const money = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

export function UsageReport() {
	const { api } = useConsole();
	const [days, setDays] = useState({ from: "", to: "" });
	const query = new URLSearchParams(Object.entries(days).filter(([, day]) => day !== ""));
	const loaded = useLoad(`usage ${query}`, (signal) => api.ask<Usage>("GET", `/v3/usage?${query}`, undefined, signal));
	return (
		<section className="card" aria-labelledby="usage">
			<div className="card-title">
				<h2 id="usage">What is used, and what models were asked</h2>
			</div>
			<div className="parameters">
				<Field label="From" type="date" value={days.from} onChange={(from) => setDays({ ...days, from })} description="Without a day: the last thirty." />
				<Field label="To" type="date" value={days.to} onChange={(until) => setDays({ ...days, to: until })} description="Whole days, in UTC." />
			</div>
			<WhenLoaded loaded={loaded}>{(usage) => <Report usage={usage} />}</WhenLoaded>
		</section>
	);
}

function Report({ usage: { from, to, model, budget, stored, quotas, total, days, embeddings } }: { readonly usage: Usage }) {
	return (
		<>
			<p>
				<UsedOfQuotas usage={{ ...stored, tokensToday: budget.tokensToday }} quotas={quotas} />
			</p>
			<p>
				{model === null ? "No language model is configured." : `The language model is ${model}.`}{" "}
				{budget.tokensPerDay !== null && (
					<>
						<Count value={budget.tokensToday} /> of <Count value={budget.tokensPerDay} /> tokens of today are used.
					</>
				)}
			</p>
			{days.length === 0 ? (
				<Empty title={`No language model was asked from ${from} to ${to}.`} />
			) : (
				<UsageTable caption="By day" rows={[...days.map((day) => ({ name: day.date, ...day })), { name: "All days", ...total }]} />
			)}
			{days.length > 0 && <UsageTable caption="By use" rows={sums(days.flatMap(({ uses }) => uses.map((each) => ({ name: each.use, ...each }))))} />}
			{days.length > 0 && (
				<UsageTable caption="By container" rows={sums(days.flatMap(({ containers }) => containers.map((each) => ({ name: each.containerTag, ...each }))))} />
			)}
			{embeddings.length > 0 && (
				<UsageTable
					caption="Embedding services"
					rows={embeddings.map(({ date, embedder, ...each }) => ({ name: `${date}, ${embedder}`, outputTokens: 0, ...each }))}
				/>
			)}
		</>
	);
}

interface Row {
	readonly name: string;
	readonly calls: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cost: number;
}

function sums(rows: readonly Row[]): readonly Row[] {
	return [...Map.groupBy(rows, ({ name }) => name)].map(([name, same]) => {
		const sum = (of: (row: Row) => number) => same.reduce((all, row) => all + of(row), 0);
		return {
			name,
			calls: sum((row) => row.calls),
			inputTokens: sum((row) => row.inputTokens),
			outputTokens: sum((row) => row.outputTokens),
			cost: sum((row) => row.cost),
		};
	});
}

function UsageTable({ caption, rows }: { readonly caption: string; readonly rows: readonly Row[] }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls in itself, by keyboard too
		<section className="table-place" aria-label={caption} tabIndex={0}>
			<table>
				<caption>{caption}</caption>
				<thead>
					<tr>
						<th scope="col">{caption.replace(/^By (.)/, (_, letter: string) => letter.toUpperCase())}</th>
						<th scope="col">Calls</th>
						<th scope="col">Tokens in</th>
						<th scope="col">Tokens out</th>
						<th scope="col">Cost</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(({ name, calls, inputTokens, outputTokens, cost }) => (
						<tr key={name}>
							<th scope="row">{name}</th>
							<td>
								<Count value={calls} />
							</td>
							<td>
								<Count value={inputTokens} />
							</td>
							<td>
								<Count value={outputTokens} />
							</td>
							<td>{money.format(cost)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
