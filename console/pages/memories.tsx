/** The memories of a container: what is known, what was known, and what waits for somebody's review. */

import { useReducer, useState } from "react";
import { Button, Form, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { type Containers, useContainers, useFullest } from "../api/use-containers.ts";
import { useConsole } from "../context.ts";
import { PageTitle } from "../frame.tsx";
import { DaySlider, endOf } from "../memories/day-slider.tsx";
import { ForgetMatching } from "../memories/forget-matching.tsx";
import { FoundMemories, ListedMemories, PastMemories } from "../memories/memory-lists.tsx";
import { NewMemory } from "../memories/new-memory.tsx";
import { Review } from "../memories/review.tsx";
import { Field } from "../parts/fields.tsx";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { More } from "../parts/more.tsx";
import { NameChoice } from "../parts/names.tsx";
import { go, to, withQuery } from "../route.ts";

export function MemoriesPage({ container: asked }: { readonly container: string | null }) {
	const containers = useContainers();
	const container = useFullest(asked, containers);
	return (
		<>
			<PageTitle>Memories</PageTitle>
			{container === null ? (
				<WhenLoaded loaded={containers}>
					{() => (
						<Empty title="There are no containers yet.">
							<p>
								Memories are extracted from documents. <a href={to("documents")}>Add one</a>.
							</p>
						</Empty>
					)}
				</WhenLoaded>
			) : (
				<InContainer key={container} containers={containers.value} container={container} />
			)}
		</>
	);
}

interface InContainerProps {
	readonly containers: Containers | null;
	readonly container: string;
}

function InContainer({ containers, container }: InContainerProps) {
	const tags = containers?.tags ?? [];
	const since = containers?.all.find(({ containerTag }) => containerTag === container)?.createdAt;
	const names = tags.includes(container) ? tags : [container, ...tags];
	return (
		<>
			<div className="filters">
				<NameChoice label="Container" names={names} value={container} onChange={(tag) => go(withQuery(to("memories"), { container: tag }))} />
			</div>
			<Tabs className="parts">
				<TabList aria-label="What to look at" className="tabs">
					<Tab id="known">What is known</Tab>
					<Tab id="review">To review</Tab>
				</TabList>
				<TabPanel id="known">
					<Known container={container} since={since} />
				</TabPanel>
				<TabPanel id="review">
					<Review container={container} />
				</TabPanel>
			</Tabs>
		</>
	);
}

const nothingAsked = { query: "", day: "" };

function Known({ container, since }: { readonly container: string; readonly since: string | undefined }) {
	const [asked, setAsked] = useState(nothingAsked);
	const [draft, setDraft] = useState(nothingAsked);
	const { mayWrite } = useConsole();
	/** Lists that are looked at are loaded again after each change. */
	const [changes, countChange] = useReducer((count: number) => count + 1, 0);
	const asOf = endOf(asked.day);
	return (
		<>
			<Form
				className="card query"
				onSubmit={(event) => {
					event.preventDefault();
					setAsked({ ...draft, query: draft.query.trim() });
				}}
			>
				<div className="query-line">
					<Field label="Search in these memories" type="search" value={draft.query} onChange={(query) => setDraft({ ...draft, query })} />
					<Field
						label="As known on"
						type="date"
						value={draft.day}
						onChange={(day) => setDraft({ ...draft, day })}
						description="What was known at the end of that day."
					/>
					<Button type="submit" className="button filled">
						Search
					</Button>
					{asked !== nothingAsked && (
						<Button
							className="button"
							onPress={() => {
								setAsked(nothingAsked);
								setDraft(nothingAsked);
							}}
						>
							Show all
						</Button>
					)}
				</div>
				<DaySlider
					since={since}
					day={draft.day}
					onChange={(day) => {
						setDraft({ ...draft, day });
						setAsked({ query: draft.query.trim(), day });
					}}
				/>
			</Form>
			{mayWrite && asOf === null && (
				<div className="card">
					<More label="Write a memory" about={`into “${container}”`} level={2}>
						{() => <NewMemory container={container} onChanged={countChange} />}
					</More>
					<More label="Forget several" about={`of “${container}”`} level={2}>
						{() => <ForgetMatching container={container} onChanged={countChange} />}
					</More>
				</div>
			)}
			{asked.query !== "" && <FoundMemories key={`${asked.query} ${asked.day} ${changes}`} container={container} query={asked.query} asOf={asOf} />}
			{asked.query === "" && asOf !== null && <PastMemories container={container} asOf={asOf} />}
			{asked.query === "" && asOf === null && <ListedMemories key={changes} container={container} />}
		</>
	);
}
