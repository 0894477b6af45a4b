"""A constraint with a table in it is differentiated; what the table holds is not known then."""

from __future__ import annotations

import freewheel as fw

TABLE = """
model M
  class Table extends ExternalObject;
    function constructor input Real table[:, :]; input Integer columns[:]; output Table id;
      external "C" id = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", table,
        size(table, 1), size(table, 2), columns, size(columns, 1), 2);
    end constructor;
    function destructor input Table id; external "C" ModelicaStandardTables_CombiTable1D_close(id);
    end destructor;
  end Table;
  function value input Table id; input Real u; output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(id, 1, u);
    annotation(derivative = slope);
  end value;
  function slope input Table id; input Real u; input Real der_u; output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(id, 1, u, der_u);
    annotation(derivative(order = 2) = bend);
  end slope;
  function bend input Table id; input Real u; input Real der_u; input Real der_2_u; output Real der_2_y;
    external "C" der_2_y = ModelicaStandardTables_CombiTable1D_getDer2Value(id, 1, u, der_u, der_2_u);
  end bend;
  Table id = Table([0, 0; 1, 1; 2, 4; 3, 9], {2});
  Real a(start = 1, fixed = true), b "on the curve of the table", force;
  Real va(start = 0, fixed = true), vb;
equation
  va = der(a);
  vb = der(b);
  der(va) = 1 + force;
  der(vb) = -2*force;
  b = value(id, a);
end M;
"""


def test_two_bodies_tied_by_a_table():
    model = fw.load_text(TABLE)

    assert model.check().equations == 5
    assert len(model.upto("structure").ordered.states) == 2
