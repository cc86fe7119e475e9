/** Fields of forms: a label, the field, what it is for and what is wrong with it. */

import type { ReactNode } from "react";
import {
	Button,
	Checkbox,
	FieldError,
	Input,
	Label,
	ListBox,
	ListBoxItem,
	Popover,
	Select,
	SelectValue,
	Text,
	TextArea,
	TextField,
	type TextFieldProps,
} from "react-aria-components";

interface FieldProps extends TextFieldProps {
	readonly label: string;
	readonly description?: ReactNode;
	readonly problem?: string | null;
	readonly placeholder?: string;
	/** Lines, for a longer text. */
	readonly rows?: number;
}

export function Field({ label, description, problem = null, placeholder, rows, ...props }: FieldProps) {
	return (
		<TextField className="field" isInvalid={problem !== null} validationBehavior="aria" {...props}>
			<Label>{label}</Label>
			{rows === undefined ? <Input placeholder={placeholder ?? ""} /> : <TextArea rows={rows} placeholder={placeholder ?? ""} />}
			{description !== undefined && (
				<Text slot="description" className="hint">
					{description}
				</Text>
			)}
			<FieldError className="field-problem">{problem}</FieldError>
		</TextField>
	);
}

export interface Option {
	readonly id: string;
	readonly label: string;
}

interface ChoiceProps {
	readonly label: string;
	readonly options: readonly Option[];
	readonly value: string;
	readonly onChange: (value: string) => void;
}

export function Choice({ label, options, value, onChange }: ChoiceProps) {
	return (
		<Select className="field chosen" value={value} onChange={(key) => onChange(String(key))}>
			<Label>{label}</Label>
			<Button className="choice">
				<SelectValue />
				<span aria-hidden="true" className="chevron" />
			</Button>
			<Popover className="popover">
				<ListBox items={options} className="options">
					{({ id, label: words }) => (
						<ListBoxItem id={id} textValue={words}>
							{words}
						</ListBoxItem>
					)}
				</ListBox>
			</Popover>
		</Select>
	);
}

interface TickProps {
	readonly isSelected: boolean;
	readonly onChange: (isSelected: boolean) => void;
	readonly children: ReactNode;
}

export function Tick({ children, ...props }: TickProps) {
	return (
		<Checkbox className="tick" {...props}>
			<span className="box" aria-hidden="true">
				<svg viewBox="0 0 16 16" aria-hidden="true">
					<path d="M3 8.5 6.5 12 13 4.5" />
				</svg>
			</span>
			<span>{children}</span>
		</Checkbox>
	);
}
