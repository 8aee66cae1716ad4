import { json } from '@codemirror/lang-json';
import { useComputedColorScheme } from '@mantine/core';
import ReactCodeMirror, { EditorView } from '@uiw/react-codemirror';
import { styleNonce } from '../../style-nonce.ts';
import classes from './code-mirror.module.css';

export interface JsonEditorProps {
  /** Names the editor for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly readOnly?: boolean;
  readonly minHeight?: string;
  readonly maxHeight?: string;
}

/** An editor for JSON. The Tab key moves to the next field, as in every other field. */
export default function CodeMirror({
  label,
  value,
  onChange,
  readOnly = false,
  minHeight = '',
  maxHeight = '480px',
}: JsonEditorProps) {
  const scheme = useComputedColorScheme();
  return (
    <ReactCodeMirror
      className={classes.editor ?? ''}
      value={value}
      {...(onChange && { onChange })}
      readOnly={readOnly}
      theme={scheme}
      indentWithTab={false}
      minHeight={minHeight}
      maxHeight={maxHeight}
      extensions={[
        json(),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(styleNonce),
        EditorView.contentAttributes.of({ 'aria-label': label }),
      ]}
    />
  );
}
