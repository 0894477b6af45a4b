"""The room's public function: an instance goes in, a flat model comes out.

    flat = flatten(instantiate(library, ("Circuit",)))

Order: walk the component tree; collect connections; settle the connection graph, because equations
may ask about it; then variables, equations, connection equations; at last the functions reached.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from freewheel.base.diagnostics import CompileError, IncompleteError
from freewheel.base.names import Name
from freewheel.flat.connect import ConnectionCollector
from freewheel.flat.connection_sets import ConnectionSets, Member, equations, zero
from freewheel.flat.diagnostics import nested_too_deeply
from freewheel.flat.equations import Equations
from freewheel.flat.expandable import elaborate_expandable, idle_signals
from freewheel.flat.experiment import experiment_of
from freewheel.flat.extent import Extent
from freewheel.flat.graph import Graph, constraint_equations
from freewheel.flat.inline_limit import with_short_inlines
from freewheel.flat.machines import has_machines, state_names, with_shared_outputs
from freewheel.flat.nodes import Algorithm, AnyEquation, Equation, FlatModel, Variable
from freewheel.flat.rewrite import rewritten
from freewheel.flat.stream import Streams, stream_holders
from freewheel.flat.variables import Variables
from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.walk import contains
from freewheel.formula.walk import replace as replace_nodes
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.context import Context
from freewheel.instance.instantiate import Instance
from freewheel.instance.restrictions import check_sections, several_annotations
from freewheel.syntax import nodes as syn

# What a partial class may leave open: classes, values of constants and parameters, sizes and results of
# functions that depend on them.
LEFT_OPEN = ("N018", "N031", "N033", "N037", "N905", "N910")


def flatten(instance: Instance, is_part: bool = False) -> FlatModel:
    """The model as it is or, where it `is_part`, with its own connectors as if something were connected
    to them from outside."""
    try:
        return _Flattener(instance, is_part).run()
    except CompileError as failure:
        if instance.session.is_left_open and all(d.code in LEFT_OPEN for d in failure.diagnostics):
            raise IncompleteError(*failure.diagnostics) from None
        raise
    except NotConstant as missing:
        raise instance.session.values.missing(missing.name, instance.node) from None
    except RecursionError:
        raise nested_too_deeply(instance.node.title, instance.node.definition.span) from None


class _Flattener:
    def __init__(self, instance: Instance, is_part: bool) -> None:
        self._instance = instance
        self._is_part = is_part
        self._session = instance.session
        self._nodes: list[ClassNode] = []
        self._leaves: list[ComponentInstance] = []
        self._waits_for_sizes = False  # some depend on connections
        self._extent = Extent(instance.node.title, instance.node.definition.span)

    def run(self) -> FlatModel:
        model = self._instance.node
        self._walk_all()
        known = self._components_added()
        collector = self._collected()
        sets, graph_equations = self._settled(collector)
        if self._waits_for_sizes or self._components_added() != known:
            self._walk_all()  # again: members of expandable connectors have come
        self._session.warnings.extend(several_annotations(self._nodes))
        variables, bindings = self._variables()
        body, initial, algorithms, initial_algorithms = self._sections()
        groups = sets.sets()
        code = (*bindings, *body, *initial, *algorithms, *initial_algorithms)
        idle = idle_signals(self._leaves, groups, code)
        if idle:
            self._leaves = [leaf for leaf in self._leaves if leaf.path not in idle]
            variables = [variable for variable in variables if variable.name not in idle]
            groups = [group for group in groups if group[0].component.path not in idle]
        streams = Streams(groups, stream_holders(self._nodes), self._session)
        flat = FlatModel(
            self._instance.name,
            tuple(variables),
            (
                *bindings,
                *body,
                *equations(groups, state_names(body)),
                *self._lonely_flows(sets),
                *graph_equations,
                *streams.border_equations(),
            ),
            tuple(initial),
            tuple(algorithms),
            tuple(initial_algorithms),
            functions=with_short_inlines(self._session.functions.collect()),
            enumerations=tuple(self._session.simple_types.enumerations),
            records=self._session.functions.record_types(),
            experiment=experiment_of(model),
            warnings=tuple(self._session.warnings),
            span=model.definition.span,
            comment=_comment(model),
        )
        if streams.exist or self._session.asks_for_streams:
            flat = _without_streams(flat, streams)
        if has_machines(flat):
            flat = with_shared_outputs(flat, self._leaves)
        return _with_structural_marks(flat, self._leaves)

    # ------------------------------------------------------------ the tree

    def _walk_all(self) -> None:
        """Once more whenever inner components were added on the way: they have connections, too."""
        model = self._instance.node
        added = -1
        while len(model.extra_components) != added:
            added = len(model.extra_components)
            self._nodes, self._leaves = [], []
            self._extent = Extent(self._extent.title, self._extent.span)
            self._walk(model)

    def _walk(self, node: ClassNode) -> None:
        self._nodes.append(node)
        components = components_of(node)
        level = self._extent.begin(components)
        for number, component in enumerate(components):
            if component.is_outer and not component.is_inner:
                component.inner()
            elif not component.exists():
                continue
            elif component.simple is not None:
                self._leaves.append(component)
                self._extent.enter(self._scalars(component))
            else:
                level.component, level.left = number, prod(component.dims())
                self._extent.expect(level.left)
                for below in component.nodes():
                    level.left -= 1
                    level.before = self._extent.size
                    self._walk(below)
        self._extent.end()

    def _scalars(self, component: ComponentInstance) -> int:
        """As far as they are known: sizes may depend on connections, which come later."""
        try:
            return prod(component.dims())
        except (CompileError, NotConstant):
            self._session.elaborator.reset()
            self._waits_for_sizes = True
            return 1

    def _components_added(self) -> int:
        """By connections to expandable connectors, and inner ones that were missing."""
        return sum(len(node.instance.extra_components) for node in self._nodes)

    # ------------------------------------------------------------ connections

    def _collected(self) -> ConnectionCollector:
        collector = ConnectionCollector(self._session)
        for node in self._nodes:
            collector.of_node(node)
        elaborate_expandable(collector)
        return collector

    def _settled(self, collector: ConnectionCollector) -> tuple[ConnectionSets, list[AnyEquation]]:
        graph = Graph(collector.connections, collector.graph, self._is_part)
        self._session.graph_answers = graph
        sets = ConnectionSets()
        for position, connection in enumerate(collector.connections):
            broken = graph.broken.get(position, ())
            sets.add(connection, frozenset(a for a, _ in broken))
        made = list(constraint_equations(self._session, collector.connections, graph.broken))
        return sets, made

    def _lonely_flows(self, sets: ConnectionSets) -> list[AnyEquation]:
        """A flow that nothing is connected to from outside is zero."""
        connected = sets.connected_inside()
        made: list[AnyEquation] = []
        for component in self._leaves:
            if component.flow != "flow" or 0 in component.dims() or not _in_connector(component):
                continue
            if component.path in connected:
                continue
            member = Member(
                component.path, False, component, (), component.span, component.owner.path or ()
            )
            made.append(
                Equation(member.expr, zero(member), component.span, component.owner.path or ())
            )
        return made

    # ------------------------------------------------------------ variables and equations

    def _variables(self) -> tuple[list[Variable], list[Equation]]:
        maker = Variables(self._session)
        variables: list[Variable] = []
        bindings: list[Equation] = []
        for component in self._leaves:
            variable, equation = maker.variable(component)
            variables.append(variable)
            if equation is not None and 0 not in variable.dims:
                bindings.append(equation)
        return variables, bindings

    def _sections(
        self,
    ) -> tuple[list[AnyEquation], list[AnyEquation], list[Algorithm], list[Algorithm]]:
        maker = Equations(self._session)
        body: list[AnyEquation] = []
        initial: list[AnyEquation] = []
        algorithms: list[Algorithm] = []
        initial_algorithms: list[Algorithm] = []
        for node in self._nodes:
            check_sections(node)
            for scope, section in node.sections():
                context = Context(scope)
                if isinstance(section, syn.EquationSection):
                    (initial if section.initial else body).extend(
                        maker.block(section.equations, context)
                    )
                else:
                    maker.statements.is_initial = section.initial
                    statements = maker.statements.block(section.statements, context)
                    made = Algorithm(statements, scope.span(section), node.path or ())
                    (initial_algorithms if section.initial else algorithms).append(made)
        return body, initial, algorithms, initial_algorithms


def _in_connector(component: ComponentInstance) -> bool:
    holder: ClassNode | None = component.owner
    while holder is not None:
        kind = holder.restricted_kind()
        if "connector" in kind:
            return True
        if "record" not in kind:
            return False
        holder = holder.parent
    return False


def _comment(node: ClassNode) -> str:
    description = node.definition.tree.description
    return description.value if description is not None else ""


def _without_streams(flat: FlatModel, streams: Streams) -> FlatModel:
    def rewrite(expr: f.Expr) -> f.Expr:
        asks = contains(
            expr, lambda n: isinstance(n, f.Call) and n.function in ("inStream", "actualStream")
        )
        return replace_nodes(expr, streams.rewrite, memo) if asks else expr

    memo: dict[f.Expr, f.Expr] = {}
    return rewritten(flat, rewrite)


def _with_structural_marks(flat: FlatModel, leaves: list[ComponentInstance]) -> FlatModel:
    """Equations may have evaluated parameters after their variables were written down."""
    structural: set[Name] = {c.path for c in leaves if c.is_structural}
    variables = tuple(
        replace(v, is_structural=True)
        if v.name in structural and v.variability == 1 and not v.is_structural
        else v
        for v in flat.variables
    )
    return replace(flat, variables=variables)
