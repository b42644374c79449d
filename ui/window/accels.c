/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain letters belong to the views (slice-view.h), so that they do not take what is typed into fields. */
#include "ui/window/accels.h"

#include "render/mode.h"

void gantry_accels_set(GtkApplication *application) {
  static const struct {
    const char *action, *keys[3];
  } accels[] = {
      {"win.open", {"<Control>o"}},
      {"win.open-folder", {"<Control><Shift>o"}},
      {"win.open-example", {"<Control><Shift>e"}},
      {"win.new-scan", {"<Control><Alt>n"}},
      {"win.save-scan", {"<Control><Alt>a"}},
      {"win.show-filter", {"<Alt>u"}},
      {"win.show-interpolation", {"<Alt>h"}},
      {"win.show-simulation", {"<Alt>t"}},
      {"win.show-spectrum", {"<Alt>q"}},
      {"win.show-view-by-view", {"<Alt>v"}},
      {"win.play-views", {"<Alt><Shift>v"}},
      {"win.next-view", {"<Alt>greater"}},
      {"win.previous-view", {"<Alt>less"}},
      {"win.choose-source", {"<Control>i"}},
      {"win.close-scan", {"<Control>w"}},
      {"win.save-volume", {"<Control>s"}},
      {"win.save-slice", {"<Control><Shift>s"}},
      {"win.open-session", {"<Control>j"}},
      {"win.save-session", {"<Control><Shift>j"}},
      {"win.save-session-as", {"<Control><Alt>j"}},
      {"win.save-figure", {"<Control>g"}},
      {"win.save-figures", {"<Control><Shift>g"}},
      {"win.save-frames", {"<Control><Alt>g"}},
      {"win.preferences", {"<Control>comma"}},
      {"win.load-plan", {"<Control><Alt>o"}},
      {"win.save-plan", {"<Control><Alt>s"}},
      {"win.reconstruct", {"<Control>r", "F5"}},
      {"win.reconstruct-to-file", {"<Control><Shift>r"}},
      {"win.reconstruct-by-processes", {"<Control><Alt>q"}},
      {"win.queue", {"<Control><Shift>q"}},
      {"win.pause", {"<Control>p"}},
      {"win.finish", {"<Control>Return"}},
      {"win.cancel", {"<Control>period"}},
      {"win.find-centre", {"<Control>f"}},
      {"win.sweep-centre", {"<Control><Shift>f"}},
      {"win.draw-rectangle", {"<Control><Alt>r"}},
      {"win.tune-device", {"<Control>t"}},
      {"win.undo", {"<Control>z"}},
      {"win.redo", {"<Control><Shift>z", "<Control>y"}},
      {"win.set-reference", {"<Control>b"}},
      {"win.open-reference", {"<Alt>b"}},
      {"win.open-stored-reference", {"<Shift><Alt>b"}},
      {"win.clear-reference", {"<Control><Shift>b"}},
      {"win.open-volume", {"<Control><Alt>v"}},
      {"win.add-truth", {"<Control><Alt>t"}},
      {"win.show-shelf", {"F7"}},
      {"win.shelf-show", {"<Control><Shift>a"}},
      {"win.shelf-values", {"<Control><Shift>v"}},
      {"win.auto-preview", {"<Alt>a"}},
      {"win.show-panel", {"F9"}},
      {"win.show-plots", {"F8"}},
      {"win.show-lessons", {"F4"}},
      {"win.open-lesson", {"<Control><Alt>e"}},
      {"win.lesson-set-up", {"<Alt>Return"}},
      {"win.lesson-back", {"<Alt>Page_Up"}},
      {"win.lesson-next", {"<Alt>Page_Down"}},
      {"win.fullscreen", {"F11"}},
      {"win.maximise", {"<Control>m"}},
      {"win.auto-window", {"<Alt>w"}},
      {"win.smooth", {"<Alt>s"}},
      {"win.show-crosshair", {"<Alt>c"}},
      {"win.fit", {"<Control>0"}},
      {"win.profile", {"<Control>l"}},
      {"win.remove-profile", {"<Control><Shift>l"}},
      {"win.copy-profile", {"<Control><Shift>c"}},
      {"win.save-profile", {"<Control><Shift>p"}},
      {"win.continue", {"<Control><Shift>Return"}},
      {"win.compare-direct", {"<Control><Alt>b"}},
      {"win.show-errors", {"<Control>e"}},
      {"win.show-convergence", {"<Control>k"}},
      {"win.clear-convergence", {"<Control><Shift>k"}},
      {"win.copy-convergence", {"<Control><Alt>c"}},
      {"win.save-convergence", {"<Control><Alt>p"}},
      {"win.side-by-side", {"<Control>d"}},
      {"win.compare-variants", {"<Control><Shift>d"}},
      {"win.run-variants", {"<Control><Alt>d"}},
      {"win.next-loupe", {"<Alt>z"}},
      {"win.worst-first", {"<Alt>m"}},
      {"win.worst-next", {"<Alt>n"}},
      {"win.worst-previous", {"<Alt><Shift>n"}},
      {"win.flip", {"<Alt>f"}},
      {"win.flicker", {"<Alt><Shift>f"}},
      {"win.mix-back", {"<Alt>comma"}},
      {"win.mix-forth", {"<Alt>period"}},
      {"win.scale-logarithmic", {"<Alt>l"}},
      {"win.scale-locked", {"<Alt>k"}},
      {"win.fit-scale", {"<Alt>d"}},
      {"win.layout::grid", {"<Control><Alt>1"}},
      {"win.layout::large", {"<Control><Alt>2"}},
      {"win.layout::row", {"<Control><Alt>3"}},
      {"win.layout::pair", {"<Control><Alt>4"}},
      {"win.fourth::projection", {"<Alt>p"}},
      {"win.fourth::sinogram", {"<Alt>i"}},
      {"win.fourth::oblique", {"<Alt>o"}},
      {"win.fourth::scene", {"<Alt>e"}},
      {"win.show-arc", {"<Alt><Shift>i"}},
      {"win.play-gantry", {"<Alt>g"}},
      {"win.draw-mark::rectangle", {"<Alt><Shift>r"}},
      {"win.draw-mark::ellipse", {"<Alt><Shift>e"}},
      {"win.draw-mark::polygon", {"<Alt><Shift>g"}},
      {"win.draw-mark::line", {"<Alt><Shift>l"}},
      {"win.draw-mark::angle", {"<Alt><Shift>a"}},
      {"win.draw-mark::point", {"<Alt><Shift>t"}},
      {"win.mark-next", {"<Alt>bracketright"}},
      {"win.mark-previous", {"<Alt>bracketleft"}},
      {"win.undo-mark", {"<Control><Alt>z"}},
      {"win.reconstruct-region", {"<Control><Alt>m"}},
      {"win.profile-ray", {"<Alt>y"}},
      {"win.show-marks", {"<Alt>r"}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(accels); i++) {
    gtk_application_set_accels_for_action(application, accels[i].action, accels[i].keys);
  }
  for (int i = 0; i < CTGL_MODES; i++) {
    g_autofree char *action = g_strdup_printf("win.mode::%s", ctgl_mode_get((ctgl_mode)i)->id);
    g_autofree char *key = g_strdup_printf("<Alt>%d", i + 1);
    gtk_application_set_accels_for_action(application, action, (const char *[]){key, NULL});
  }
}

void gantry_accels_set_recent(GtkApplication *application, const char *const *uris) {
  for (int i = 0; i < 5; i++) {
    g_autofree char *key = g_strdup_printf("<Control>%d", i + 1);
    g_auto(GStrv) before = gtk_application_get_actions_for_accel(application, key);
    for (int j = 0; before[j]; j++)
      gtk_application_set_accels_for_action(application, before[j], (const char *[]){NULL});
  }
  for (int i = 0; i < 5 && uris && uris[i]; i++) {
    g_autofree char *key = g_strdup_printf("<Control>%d", i + 1);
    g_autoptr(GVariant) target = g_variant_ref_sink(g_variant_new_string(uris[i]));
    g_autofree char *action = g_action_print_detailed_name("win.open-recent", target);
    gtk_application_set_accels_for_action(application, action, (const char *[]){key, NULL});
  }
}
