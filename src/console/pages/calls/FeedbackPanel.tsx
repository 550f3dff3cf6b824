import { type FeedbackCategory, submitGenerationFeedback } from "#contract/feedback.ts";
import { useAction } from "../../api/action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { toast } from "../../ui/toast.ts";
import { feedbackLabels } from "./labels.ts";

const categories = Object.keys(feedbackLabels) as FeedbackCategory[];

interface FeedbackValues {
  category: FeedbackCategory;
  comment: string;
}

interface FeedbackPanelProps {
  /** the call's */
  id: string;
  onClose: () => void;
}

/** Says what was wrong with a call. What was said before by the same management key is replaced. */
export function FeedbackPanel({ id, onClose }: FeedbackPanelProps) {
  const give = useAction(submitGenerationFeedback);
  const state = useEndpointForm<typeof submitGenerationFeedback, FeedbackValues>({
    endpoint: submitGenerationFeedback,
    values: { category: "incorrect_response", comment: "" },
    labels: { category: "What was wrong", comment: "Comment" },
    input: ({ category, comment }) => ({
      body: { generation_id: id, category, ...(comment.trim() !== "" && { comment: comment.trim() }) },
    }),
    submit: async (input) => {
      await give.mutateAsync(input);
      state.guard.open();
      toast({ message: "The feedback was saved." });
      onClose();
    },
  });
  const { register, formState } = state.form;
  return (
    <FormPanel
      form={state}
      title="Give feedback"
      description="It is stored with the call, and goes nowhere else. It replaces what this management key said before."
      submitLabel="Save feedback"
      onClose={onClose}
      finalFocus={() => document.getElementById("give-feedback")}
    >
      <Field label="What was wrong">
        {(control) => (
          <NativeSelect {...control} {...register("category")} className="w-60">
            {categories.map((category) => (
              <option key={category} value={category}>
                {feedbackLabels[category]}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field
        label="Comment"
        optional
        hint="At most 1,000 characters, stored encrypted."
        error={formState.errors.comment?.message}
      >
        {(control) => <TextArea {...control} {...register("comment")} dir="auto" rows={5} />}
      </Field>
    </FormPanel>
  );
}
