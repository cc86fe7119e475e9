/** Fields for names of which there may be thousands: the first that fit are offered, and typing narrows them. */

import { type ReactNode, useState } from "react";
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from "react-aria-components";
import { Choice, type Option } from "./fields.tsx";

/** More than a person looks through; thousands of options would take the page a moment. */
const offeredMax = 50;

function fitting(options: readonly Option[], typed: string): readonly Option[] {
	const wanted = typed.trim().toLowerCase();
	return options.filter(({ label }) => label.toLowerCase().includes(wanted));
}

interface NameFieldProps {
	readonly label: string;
	readonly description: string;
	readonly names: readonly string[];
	readonly value: string;
	readonly onChange: (value: string) => void;
}

/** A name that is there already, or a new one. */
export function NameField({ label, description, names, value, onChange }: NameFieldProps) {
	const options = names.map(toOption);
	const offered = names.includes(value) ? options : fitting(options, value);
	return (
		<ComboBox className="field" allowsCustomValue menuTrigger="focus" inputValue={value} onInputChange={onChange} items={offered.slice(0, offeredMax)}>
			<Label>{label}</Label>
			<Combined label={label} />
			<Text slot="description" className="hint">
				{description}
			</Text>
			<Offered count={offered.length} />
		</ComboBox>
	);
}

interface NameChoiceProps {
	readonly label: string;
	readonly names: readonly string[];
	/** What no name at all is called, where that can be chosen. */
	readonly all?: string;
	readonly value: string;
	readonly onChange: (value: string) => void;
}

/** One of the names that are there. */
export function NameChoice({ label, names, all, value, onChange }: NameChoiceProps) {
	const options = [...(all === undefined ? [] : [{ id: "", label: all }]), ...names.map(toOption)];
	if (options.length > offeredMax) return <LongChoice label={label} options={options} value={value} onChange={onChange} />;
	return <Choice label={label} options={options} value={value} onChange={onChange} />;
}

interface LongChoiceProps {
	readonly label: string;
	readonly options: readonly Option[];
	readonly value: string;
	readonly onChange: (value: string) => void;
}

function LongChoice({ label, options, value, onChange }: LongChoiceProps) {
	const chosen = options.find(({ id }) => id === value)?.label ?? value;
	/** Null while nothing is typed. */
	const [typed, setTyped] = useState<string | null>(null);
	const offered = typed === null || typed === chosen ? options : fitting(options, typed);
	const choose = (id: string | null) => {
		const exact = options.find((option) => option.label === typed);
		const only = offered.length === 1 ? offered[0] : undefined;
		const wanted = id ?? (exact ?? only)?.id;
		setTyped(null);
		if (wanted !== undefined && wanted !== value) onChange(wanted);
	};
	return (
		<ComboBox
			className="field chosen"
			allowsCustomValue
			allowsEmptyCollection
			menuTrigger="focus"
			inputValue={typed ?? chosen}
			onInputChange={setTyped}
			onSelectionChange={(key) => choose(key === null ? null : String(key))}
			items={offered.slice(0, offeredMax)}
		>
			<Label>{label}</Label>
			<Combined label={label} selectsAll />
			<Offered count={offered.length} />
		</ComboBox>
	);
}

function Combined({ label, selectsAll = false }: { readonly label: string; readonly selectsAll?: boolean }) {
	return (
		<div className="combined">
			<Input {...(selectsAll ? { onFocus: ({ target }) => target.select() } : {})} />
			<Button aria-label={`Show every ${label.toLowerCase()}`}>
				<span aria-hidden="true" className="chevron" />
			</Button>
		</div>
	);
}

function Offered({ count }: { readonly count: number }): ReactNode {
	return (
		<Popover className="popover">
			<ListBox className="options" renderEmptyState={() => <span className="hint">None has these letters.</span>}>
				{(item: Option) => (
					<ListBoxItem id={item.id} textValue={item.label}>
						{item.label}
					</ListBoxItem>
				)}
			</ListBox>
			{count > offeredMax && <p className="hint options-more">The first {offeredMax}. Type to find others.</p>}
		</Popover>
	);
}

function toOption(name: string): Option {
	return { id: name, label: name };
}
